import { client, signInWith } from './client'

export interface Repair {
  id: string
  bike: string
  status: 'waiting' | 'done'
}

export interface User {
  name: string
}

export async function signIn(email: string, password: string): Promise<User> {
  const { data } = await client.post<{ token: string; user: User }>('/session', { email, password })
  signInWith(data.token)
  return data.user
}

export async function listRepairs(status?: Repair['status'], signal?: AbortSignal): Promise<Repair[]> {
  const { data } = await client.get<Repair[]>('/repairs', { params: { status }, signal })
  return data
}

export async function addRepair(bike: string): Promise<Repair> {
  const { data } = await client.post<Repair>('/repairs', { bike })
  return data
}

export async function finishRepair(id: string): Promise<Repair> {
  const { data } = await client.patch<Repair>(`/repairs/${id}`, { status: 'done' })
  return data
}

export async function removeRepair(id: string): Promise<void> {
  await client.delete(`/repairs/${id}`)
}

export interface Photo {
  name: string
  type: string
  size: number
}

const readAsDataUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error as DOMException))
    reader.readAsDataURL(file)
  })

export async function attachPhoto(id: string, photo: File, onProgress: (loaded: number) => void): Promise<Photo> {
  const body = { name: photo.name, content: await readAsDataUrl(photo) }
  const { data } = await client.post<Photo>(`/repairs/${id}/photos`, body, {
    onUploadProgress: ({ loaded }) => onProgress(loaded),
  })
  return data
}

/** The invoice as a PDF. */
export async function downloadInvoice(id: string): Promise<{ type: string; bytes: Uint8Array }> {
  const { data, headers } = await client.get<ArrayBuffer>(`/repairs/${id}/invoice`, { responseType: 'arraybuffer' })
  return { type: String(headers['content-type']), bytes: new Uint8Array(data) }
}
