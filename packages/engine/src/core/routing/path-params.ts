/** Parameters of a path whose names are known: `PathParams<'id' | 'slug'>`. */
export type PathParams<Name extends PropertyKey = string> = {
  [Key in Name]?: string | readonly string[]
}

/**
 * The parameters of a literal path: `'/user/:id'` has `{ id: string }`. `:id?` is optional, `:id+` is a list, `:id*` is
 * an optional list, and each `*` has a number as its name (`{ 0: string }`). A path whose type is `string` has {@link
 * PathParams}.
 */
export type ParamsOf<Path extends string> = string extends Path
  ? PathParams
  : ParamsOfPlain<WithoutExpressions<WithoutEscapes<WithoutSearch<Path>>>>

/**
 * {@link ParamsOf}, and the type of {@link PathParams} for any other name, because code may read `params[name]`, and a
 * path that begins with a variable may have parameters that its type does not show.
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

/** A `?` begins a query if a name with `=` follows it. */
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

/** Replaces each expression in parentheses with `#`, which the path no longer contains. */
type WithoutExpressions<Path extends string> = Path extends `${infer Before})${infer After}`
  ? WithoutExpressions<`${ReplaceLastOpening<Before>}${After}`>
  : Path

/** Replaces the last opening parenthesis and its expression with `#`. This replaces the innermost expression first. */
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

/** The modifier of a parameter, which follows its name or its expression. In braces, it follows the closing brace. */
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

/** Keeps only the wildcards of a path: stars, and expressions without a name. */
type Wildcards<Path extends string> = Path extends `${infer Before}:${infer After}`
  ? TakeName<After> extends [infer Name extends string, infer Rest extends string]
    ? `${WithoutMarks<Before>}${Name extends '' ? Wildcards<Rest> : Wildcards<WithoutMark<Rest>>}`
    : Path
  : WithoutMarks<Path>

/** Removes the expression and the modifier after a name. */
type WithoutMark<Rest extends string> = Rest extends `#${infer After}`
  ? WithoutMark<After>
  : Rest extends `*${infer After}`
    ? `|${After}`
    : Rest

/** Removes the modifiers after braces. `**` counts as one star. */
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
