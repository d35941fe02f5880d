import { type BannedPhrase, bannedPhrases } from './banned-phrases.ts'

/** A phrase that a file contains against the rules, or an exception that has no effect. */
export interface Finding {
  /** Counted from 1. */
  readonly line: number
  readonly phrase: string
  readonly write: string
}

/** An exception covers its own line and the next one: `word-check: allow "mend", because it quotes a page`. */
const exception = /word-check: allow "([^"]*)"(?:, because (\S.{9,}))?/g

/**
 * Finds the banned phrases of a text, in order.
 *
 * A phrase that continues on the next line is found too: the markers of comments (`*`, `//`, `#`, `>`) count as white space.
 *
 * @example
 * findBannedPhrases('// Whoever asks gets it anew.') // → 'Whoever' and 'anew', both in line 1
 */
export function findBannedPhrases(text: string): Finding[] {
  const lineOf = countLines(text)
  const exceptions = Array.from(text.matchAll(exception), ({ 0: whole, 1: phrase = '', 2: reason, index }) => ({
    phrase: phrase.toLowerCase(),
    reason,
    line: lineOf(index),
    range: [index, index + whole.length] as const,
    isUsed: false,
  }))
  const findings: Finding[] = []
  for (const banned of bannedPhrases) {
    for (const { 0: found, index } of text.matchAll(acrossLines(banned))) {
      if (exceptions.some(({ range }) => index >= range[0] && index < range[1])) continue
      const line = lineOf(index)
      const phrase = found.replaceAll(/\s[\s*/#>]*/g, ' ')
      const allowed = exceptions.find(
        (one) => one.reason && one.phrase === phrase.toLowerCase() && (one.line === line || one.line === line - 1),
      )
      if (allowed) allowed.isUsed = true
      else findings.push({ line, phrase, write: banned.write })
    }
  }
  for (const { phrase, reason, line, isUsed } of exceptions) {
    if (isUsed) continue
    const write = reason ? 'nothing: remove the exception, it has no effect' : 'a reason: `, because …`'
    findings.push({ line, phrase: `word-check: allow "${phrase}"`, write })
  }
  return findings.sort((a, b) => a.line - b.line)
}

function acrossLines({ phrase }: BannedPhrase): RegExp {
  const gap = String.raw`(?:[ \t]|[ \t]*\r?\n[ \t]*(?:\*|\/\/|#|>)?[ \t]?)`
  return new RegExp(phrase.source.replaceAll(' ', gap), `gi${phrase.flags.replaceAll(/[gi]/g, '')}`)
}

function countLines(text: string): (index: number) => number {
  const ends = Array.from(text.matchAll(/\n/g), ({ index }) => index)
  return (index) => ends.filter((end) => end < index).length + 1
}
