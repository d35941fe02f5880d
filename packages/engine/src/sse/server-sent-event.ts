type Values<Type> = Type[keyof Type]

/** The parts of an event of one type. */
type Payload<Type, Data> = (Type extends 'message' ? { event?: 'message' } : { event: Type }) &
  (undefined extends Data ? (unknown extends Data ? { data: unknown } : { data?: Data }) : { data: Data })

/**
 * An event that can be sent: an event of one of the map's types with data of that type; only an id; or only a retry.
 *
 * @typeParam EventMap types of data by types of events: `{ message: string; joined: User }`
 */
export type ServerSentEventMessage<EventMap extends object = { message: unknown }> =
  | Values<{
      [Type in keyof (EventMap & { message: unknown }) & string]: {
        id?: string
        /** The time in milliseconds that an `EventSource` waits before it connects again. */
        retry?: number
      } & Payload<Type, (EventMap & { message: unknown })[Type]>
    }>
  | { id: string; retry?: number; event?: never; data?: never }
  | { id?: never; retry: number; event?: never; data?: never }
