/** Why a request ends that nobody waits for any more. Neither listeners nor observers are told of it. */
export class GivenUp extends DOMException {
  constructor(message: string) {
    super(message, 'AbortError')
  }
}
