import { Messages } from './messages'

export default function MessagesPage() {
  return <Messages />
}
