/**
 * A shorter way to the body of a request than a copy made by `clone()`: that splits a stream in two, and takes longer
 * than all else there is to decide.
 */
export interface RequestBody {
  /** What the body says, without taking it from anybody. Rejects where it cannot be read. */
  text(): string | Promise<string>
  /** The same request once more, whose body is nobody else's. */
  copy(): Request
}
