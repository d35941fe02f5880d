import { useEffect, useState } from 'react'

/** The notices of the harbour office, as they arrive. */
export function Notices() {
  const [notice, setNotice] = useState<string>()
  useEffect(() => {
    const source = new EventSource('/api/notices')
    source.onmessage = ({ data }: MessageEvent<string>) => setNotice(data)
    return () => source.close()
  }, [])
  return notice === undefined ? null : <output className="notice">{notice}</output>
}
