/**
 * The phrases that no string, comment or page may contain, and the plain words to write instead.
 *
 * A space in a phrase matches any white space, a line break included.
 */
export interface BannedPhrase {
  readonly phrase: RegExp
  readonly write: string
}

export const bannedPhrases: readonly BannedPhrase[] = [
  // "Where there is none" is ordinary English; "a resolver that is none" is not.
  { phrase: /(?<!\bthere )\b(?:is|are) none\b/, write: '"is not a …", "does not exist" or "there is no …"' },
  { phrase: /\bmend(?:s|ed|ing)?\b/, write: '"fix"' },
  { phrase: /\banew\b/, write: '"again"' },
  { phrase: /\bwhoever\b/, write: '"code that …", "a client that …" or the name of the role' },
  { phrase: /\bof (?:its|their) own accord\b/, write: '"automatically"' },
  { phrase: /\bby themselves\b/, write: '"automatically"' },
  { phrase: /\b(?:takes?|brings?)(?: [\w`'’]+){1,4} along\b/, write: '"includes" or "sends"' },
  { phrase: /\b(?:goes|go) on to\b/, write: '"then"' },
  { phrase: /\bnobody\b/, write: '"no code", "no listener", "no client" or the passive voice' },
  { phrase: /(?<!\bthere )\b(?:is|are) no (?!longer|more|less|different)/, write: '"is not a …"' },
  { phrase: /\bas it is made\b/, write: '"when it is created"' },
  // An inversion: "Intercepted is what …".
  {
    phrase:
      /(?<=^|[.!?:*/] )(?:[A-Z][a-z]+ed|Left|Held|Sent|Kept|Told) (?:is|are) (?:what|whatever|who|all|every|each|only)\b/m,
    write: 'subject, verb, object: "We intercept …"',
  },
  // "Leave the request alone" and "stand alone" are ordinary English.
  {
    phrase:
      /(?<!\b(?:leav(?:e|es|ing)|left|lets?|stands?|run|runs|one) (?:[^\s.,;:]+ ){0,6})(?<!-)\balone\b(?! (?:in|with)\b)/,
    write: '"only", before the word that it limits',
  },
  { phrase: /\b(?:hand(?:s|ed|ing)?) (?:it |them |this |that )?over\b/, write: '"pass"' },
  { phrase: /\bwhose turn\b/, write: 'what comes next, by name' },
  { phrase: /\ba hello\b/, write: '"the handshake"' },
  { phrase: /\bin (?:the|its|their) place of\b/, write: '"instead of" or "replaces"' },
  { phrase: /\b(?:tells?|told|telling|hears?|heard|hearing) of\b/, write: '"reports", "gets" or "is called with"' },
  { phrase: /\bbeneath\b/, write: '"underlying" or "below"' },
  { phrase: /\b(?:some|any)body\b/, write: '"code that …", "the developer", "another person" or the passive voice' },
  { phrase: /\bneed not\b/, write: '"does not have to"' },
  { phrase: /\bfor ever\b/, write: '"forever"' },
  // Phrases that read like a translation.
  { phrase: /\b(?:and|or) (?:its|their) like\b/, write: '"or a similar function"' },
  { phrase: /\b(?:named|known|shown) to people\b/, write: '"the name in messages"' },
  { phrase: /\bby and by\b/, write: '"later" or "on demand"' },
  { phrase: /\bfor good\b/, write: '"permanently"' },
  { phrase: /\btold apart\b/, write: '"distinguished"' },
  { phrase: /\b(?:is|are|was|were) told\b(?! of\b)/, write: '"gets", "is called with" or "is reported to"' },
  { phrase: /\btak(?:e|es|ing) (?:the|its|their) places?\b/, write: '"replaces"' },
  { phrase: /\b(?:the one|the ones) before\b/, write: '"the previous one"' },
  { phrase: /\b(?:resolvers?|callbacks?|functions?|form) of today\b/, write: '"current", before the noun' },
  { phrase: /\bwithout a word\b/, write: '"without a message"' },
  { phrase: /\bin vain\b/, write: '"forever" or "without a result"' },
  { phrase: /\bwhatever else\b/, write: '"all other …"' },
  { phrase: /\b(?:is|are|was|were) wrong with\b/, write: '"the error of" or "the problem with"' },
  {
    phrase:
      /\ban?(?: [\w`’-]+){1,4} of (?:its|their|our) own(?![\w`-])(?! (?!(?:and|or|that|in|for|with|because|before|if)\b)[\w`])/,
    write: '"its own …", "a separate …" or "another …"',
  },
  { phrase: /\bnothing of (?:it|them|the|this|that|its|their)\b/, write: '"none of it" or "does not contain …"' },
  { phrase: /\bcomes? and go(?:es)?\b/, write: '"is added and removed"' },
  { phrase: /\banswers? in (?:its|their) place\b/, write: '"answers instead"' },
  { phrase: /\bwhat (?:is|are|was|were) (?:not )?there\b/, write: '"the existing …" or "a missing …"' },
  { phrase: /\b(?:is|are|was|were) on (?:its|their) way\b/, write: '"is pending" or "is sent"' },
  {
    phrase: /\b(?:what|how) (?:[\w`’]+ ){0,3}c[ao]mes? (?:of|to)\b(?! (?:the|a|its|their)\b)/,
    write: '"the outcome of …"',
  },
  { phrase: /\bmisspelt\b/, write: '"misspelled"' },
  // The glossary.
  {
    phrase: /\b(?:performs?|performed|performing) (?:the|a|an|it|every|its|that) ?(?:intercepted |real )?requests?\b/,
    write: '"sends the request", or "passthrough" for a request that a handler sends to the network',
  },
  { phrase: /\brequests? (?:that )?(?:is|are|was|were) performed\b/, write: '"passthrough request" or "is sent"' },
  { phrase: /\bgiven up\b/, write: '"aborted"' },
  { phrase: /\bpatience\b/, write: '"time-out"' },
  { phrase: /\bneighbou?r(?:s|ing)?\b/, write: '"foreign worker", or "sibling" for files and stories' },
  { phrase: /\bstranger(?:'s)? (?:service )?worker\b/, write: '"foreign worker"' },
  { phrase: /\bcarriers?\b/, write: '"replacement" for a class, "transport" for a connection' },
]
