/** Parameters of a path whose names are known: `PathParams<'id' | 'slug'>`. */
export type PathParams<Name extends PropertyKey = string> = {
  [Key in Name]?: string | readonly string[]
}

/**
 * The parameters that a literal path has: `'/user/:id'` gives `{ id: string }`, `:id?` an optional one,
 * `:id+` a list, `:id*` an optional list, and each `*` a number (`{ 0: string }`).
 * A path that is not literal gives {@link PathParams}.
 */
export type ParamsOf<Path extends string> = string extends Path
  ? PathParams
  : ParamsOfPlain<WithoutExpressions<WithoutEscapes<WithoutSearch<Path>>>>

/**
 * {@link ParamsOf}, and for any other name what {@link PathParams} has for it: code may read `params[name]`, and a path
 * that begins with a variable may have parameters that its type does not show.
 */
export type OpenParamsOf<Path extends string> =
  ParamsOf<Path> extends infer Named
    ? [keyof Named] extends [never]
      ? PathParams
      : string extends keyof Named
        ? PathParams
        : { [Name in keyof Named]: Named[Name] } & PathParams
    : never

type ParamsOfPlain<Path extends string> = Simplify<NamedParams<Path> & WildcardParams<Wildcards<Path>, []>>

type Simplify<Type> = { [Key in keyof Type]: Type[Key] }

/** A `?` begins a query where a name with `=` follows it. */
type WithoutSearch<Path extends string> = Path extends `${infer Before}?${infer After}`
  ? After extends `${infer Key}=${string}`
    ? Key extends `${string}${'/' | '?'}${string}`
      ? `${Before}?${WithoutSearch<After>}`
      : Before
    : Path
  : Path

/** Removes each backslash with the character after it. */
type WithoutEscapes<Path extends string> = Path extends `${infer Before}\\${string}${infer After}`
  ? `${Before}${WithoutEscapes<After>}`
  : Path

/** Puts `#` for each expression in parentheses: no path has one any more. */
type WithoutExpressions<Path extends string> = Path extends `${infer Before})${infer After}`
  ? WithoutExpressions<`${ReplaceLastOpening<Before>}${After}`>
  : Path

/** Puts `#` for the last opening parenthesis and what follows it: the innermost goes first. */
type ReplaceLastOpening<Text extends string> = Text extends `${infer Before}(${infer After}`
  ? After extends `${string}(${string}`
    ? `${Before}(${ReplaceLastOpening<After>}`
    : `${Before}#`
  : Text

type Letter =
  | 'a'
  | 'b'
  | 'c'
  | 'd'
  | 'e'
  | 'f'
  | 'g'
  | 'h'
  | 'i'
  | 'j'
  | 'k'
  | 'l'
  | 'm'
  | 'n'
  | 'o'
  | 'p'
  | 'q'
  | 'r'
  | 's'
  | 't'
  | 'u'
  | 'v'
  | 'w'
  | 'x'
  | 'y'
  | 'z'
type Start = Letter | Uppercase<Letter> | '_' | '$'
type Character = Start | '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'

/** Splits `id/rest` into the name and what follows it. */
type TakeName<Text extends string, Name extends string = ''> = Text extends `${infer First}${infer Rest}`
  ? First extends (Name extends '' ? Start : Character)
    ? TakeName<Rest, `${Name}${First}`>
    : [Name, Text]
  : [Name, '']

type NamedParams<Path extends string> = Path extends `${string}:${infer After}`
  ? TakeName<After> extends [infer Name extends string, infer Rest extends string]
    ? Name extends ''
      ? NamedParams<Rest>
      : ParamOf<Name, MarkOf<Rest>> & NamedParams<Rest>
    : unknown
  : unknown

/** What follows the name of a parameter: its expression is left out, and in braces the mark stands behind them. */
type MarkOf<Rest extends string> = Rest extends `#${infer After}`
  ? MarkOf<After>
  : Rest extends `${infer Inside}}${infer After}`
    ? Inside extends `${string}{${string}`
      ? Rest
      : After
    : Rest

type ParamOf<Name extends string, Rest extends string> = Rest extends `?${string}`
  ? { [Key in Name]?: string }
  : Rest extends `+${string}`
    ? { [Key in Name]: string[] }
    : Rest extends `*${string}`
      ? { [Key in Name]?: string[] }
      : { [Key in Name]: string }

/** Leaves of a path the stars that are wildcards, and the expressions without a name, which count as such. */
type Wildcards<Path extends string> = Path extends `${infer Before}:${infer After}`
  ? TakeName<After> extends [infer Name extends string, infer Rest extends string]
    ? `${WithoutMarks<Before>}${Name extends '' ? Wildcards<Rest> : Wildcards<WithoutMark<Rest>>}`
    : Path
  : WithoutMarks<Path>

/** Removes the expression and the mark right behind a name. */
type WithoutMark<Rest extends string> = Rest extends `#${infer After}`
  ? WithoutMark<After>
  : Rest extends `*${infer After}`
    ? `|${After}`
    : Rest

/** Removes the marks behind braces; `**` is one star. */
type WithoutMarks<Text extends string> = Text extends `${infer Before}}*${infer After}`
  ? `${WithoutMarks<Before>}${WithoutMarks<After>}`
  : Text extends `${infer Before}**${infer After}`
    ? WithoutMarks<`${Before}*${After}`>
    : Text extends `${infer Before}#${infer After}`
      ? WithoutMarks<`${Before}*|${After}`>
      : Text

type WildcardParams<Path extends string, Seen extends unknown[]> = Path extends `${string}*${infer After}`
  ? { [Key in Seen['length']]: string } & WildcardParams<After, [...Seen, unknown]>
  : unknown
