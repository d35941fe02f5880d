const { env } = (globalThis as { process?: { env: Record<string, string | undefined> } }).process ?? { env: {} }

/** The settings for `fc.assert`. */
export interface FuzzSettings<Input> {
  readonly numRuns: number
  readonly seed: number
  readonly examples: Input[]
  /** The time-out of all runs in milliseconds. A run that hangs is an error. */
  readonly interruptAfterTimeLimit: number
}

/**
 * Creates the settings of a fuzz test. The seed is fixed, so that each run has the same inputs. To explore, set
 * `FUZZ_SEED` and `FUZZ_RUNS`: `FUZZ_SEED=7 FUZZ_RUNS=100000 npm run test:only -- fuzz`.
 *
 * @param corpus inputs that once found a bug, or are important: they run first, in every run
 * @param runs the default number of generated inputs
 */
export function fuzzSettings<Input>(corpus: readonly Input[], runs = 500): FuzzSettings<Input> {
  const numRuns = Number(env['FUZZ_RUNS'] ?? runs)
  return {
    numRuns: numRuns + corpus.length,
    seed: Number(env['FUZZ_SEED'] ?? 1),
    examples: [...corpus],
    interruptAfterTimeLimit: 600_000,
  }
}
