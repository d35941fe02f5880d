import type { Play } from '../api/plays.ts'

interface PosterDesign {
  paper: string
  ink: string
  /** The lines of the title. */
  title: string[]
  /** The SVG of a sheet, 400 wide and 600 high. The lowest 170 units are empty. */
  art: string
}

const designs: Record<string, PosterDesign> = {
  'the-seagull': {
    paper: '#d6e4ea',
    ink: '#f1f6f8',
    title: ['The', 'Seagull'],
    art: `
      <circle cx="262" cy="272" r="104" fill="#f0603a" />
      <path d="M0 322h400v278H0z" fill="#12233c" />
      <path d="M176 346h172M200 370h124M226 394h72" stroke="#f0603a" stroke-width="7" />
      <path d="M24 206C74 120 134 114 184 194C226 104 300 82 376 136C304 128 252 160 200 248C150 172 92 172 24 206z" fill="#fff" />
      <path d="M24 206C40 178 56 160 74 150L92 182C68 186 46 194 24 206zM376 136C352 119 330 110 306 108L302 137C324 131 348 131 376 136z" fill="#12233c" />`,
  },
  'a-dolls-house': {
    paper: '#f5b83d',
    ink: '#37194a',
    title: ['A Doll’s', 'House'],
    art: `
      <g transform="translate(20 -2) scale(.9)">
      <path d="M200 52l142 118v240H58V170z" fill="#37194a" />
      <path d="M158 228h84v182h-84z" fill="#fff3cf" />
      <path d="M158 228l-46 26v176l46-20z" fill="#c8325b" />
      <circle cx="122" cy="344" r="5" fill="#f5b83d" />
      <path d="M158 410h84l62 60H132z" fill="#fff3cf" opacity=".75" />
      <path d="M92 184h34v34H92zM274 184h34v34h-34zM183 118h34v34h-34z" fill="#f5b83d" />
      </g>`,
  },
  antigone: {
    paper: '#1b1822',
    ink: '#f3e9dc',
    title: ['Antigone'],
    art: `
      <g fill="#f3e9dc">
        <path d="M40 70h320v34H40zM56 116h288v14H56z" />
        <path d="M66 142h40v290H66zM136 142h40v290h-40zM294 142h40v290h-40z" />
      </g>
      <path d="M216 142h40l44 284-40 6z" fill="#e0263f" />
      <path d="M40 438h320v12H40z" fill="#f3e9dc" />`,
  },
  'the-tempest': {
    paper: '#0d4657',
    ink: '#f5efdf',
    title: ['The', 'Tempest'],
    art: `
      <circle cx="92" cy="104" r="46" fill="#f5efdf" />
      <circle cx="114" cy="92" r="42" fill="#0d4657" />
      <g transform="rotate(-17 236 206)" fill="#f5efdf">
        <path d="M228 96h8v128h-8zM244 104l66 96h-66zM220 122v78h-56z" />
        <path d="M162 214h152l-34 44h-84z" fill="#ff7d5c" />
      </g>
      ${waves(262, '#7fd1c1')}${waves(306, '#3c9c97')}${waves(350, '#1d6f79')}
      <path d="M0 392h400v208H0z" fill="#0d4657" />`,
  },
  earnest: {
    paper: '#cfe3c4',
    ink: '#14402f',
    title: ['The Importance of', 'Being Earnest'],
    art: `
      <path d="M0 430L112 40h176l112 390z" fill="#14402f" />
      <path d="M128 40h144l-72 270z" fill="#fff" />
      <path d="M128 40l72 84-56 62-40-62zM272 40l-72 84 56 62 40-62z" fill="#fff" stroke="#14402f" stroke-width="5" />
      <path d="M94 92l88 36v24l-88 36zM306 92l-88 36v24l88 36z" fill="#f2709c" />
      <rect x="176" y="118" width="48" height="44" rx="10" fill="#d44a7c" />
      <g fill="#14402f"><circle cx="200" cy="204" r="6" /><circle cx="200" cy="244" r="6" /></g>
      <path d="M278 300l44-16 12 40-44 4z" fill="#f2709c" />`,
  },
  'the-cherry-orchard': {
    paper: '#f8dbdd',
    ink: '#5a0d24',
    title: ['The Cherry', 'Orchard'],
    art: orchard(),
  },
}

/** An SVG document: the poster of a play, 400 by 600. */
export function drawPoster({ id, title, author }: Pick<Play, 'id' | 'title' | 'author'>): string {
  const design = designs[id] ?? { paper: '#dcd9e3', ink: '#17121f', title: [title], art: '' }
  const size = Math.max(...design.title.map((line) => line.length)) > 12 ? 40 : 56
  const lines = design.title.map((line, index) => {
    const y = 556 - (design.title.length - index) * size * 0.98 + size * 0.5
    return `<text x="28" y="${y.toFixed(1)}" font-size="${size}">${line}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 600" width="400" height="600">
  <rect width="400" height="600" fill="${design.paper}" />
  ${design.art.trim()}
  <g fill="${design.ink}" font-family="Georgia, 'Times New Roman', serif" font-weight="700" letter-spacing="-1">
    ${lines.join('\n    ')}
  </g>
  <text x="29" y="572" fill="${design.ink}" font-family="'Helvetica Neue', Arial, sans-serif" font-size="15" letter-spacing="2">${author.toUpperCase()}</text>
</svg>`
}

function waves(y: number, fill: string): string {
  const crests = Array.from({ length: 5 }, () => 'q25-52 50 0t50 0').join('')
  return `<path d="M${-((y * 7) % 50)} ${y}${crests}V420H-60z" fill="${fill}" />`
}

/** Rows of cherry trees, seen from above, one of them already felled. */
function orchard(): string {
  const trees: string[] = []
  for (let row = 0; row < 5; row++) {
    for (let column = 0; column < 5; column++) {
      const x = 62 + column * 69
      const y = 62 + row * 69
      const isFelled = row === 3 && column === 3
      trees.push(
        isFelled
          ? `<g fill="none" stroke="#5a0d24" stroke-width="3"><circle cx="${x}" cy="${y}" r="19" /><circle cx="${x}" cy="${y}" r="12" /><circle cx="${x}" cy="${y}" r="5" /></g>`
          : `<circle cx="${x}" cy="${y}" r="28" fill="#c2183f" /><circle cx="${x + 8}" cy="${y - 9}" r="7.5" fill="#f8dbdd" opacity=".55" />`,
      )
    }
  }
  return trees.join('')
}
