import { useEffect, useState } from 'react'

/** What the harbour office says, as it says it. */
export function Notices() {
  const [notice, setNotice] = useState<string>()
  useEffect(() => {
    const source = new EventSource('/api/notices')
    source.onmessage = ({ data }: MessageEvent<string>) => setNotice(data)
    return () => source.close()
  }, [])
  return notice === undefined ? null : <output className="notice">{notice}</output>
}
