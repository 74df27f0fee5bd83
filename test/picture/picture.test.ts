/** The picture that the first page shows: a whole document that asks for nothing from elsewhere and names nobody's machine. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { house } from "../tidy/tree.ts";
import { Screen } from "./screen.ts";
import { svg } from "./svg.ts";

const picture = readFileSync(`${house}docs/demo.svg`, "utf8");

test("docs/demo.svg is well-formed, small and needs nothing from elsewhere", () => {
  expect(mistakesIn(picture)).toEqual([]);
  expect(picture.length).toBeLessThan(60_000);
  expect(picture.match(/https?:[^"]*/g)).toEqual(["http://www.w3.org/2000/svg"]);
  expect(picture).not.toMatch(/<(?:script|image|foreignObject|use|a)\b|\bon[a-z]+=|\bhref|url\(|@import/i);
});

test("docs/demo.svg stands still for people who ask for reduced motion", () => {
  expect(picture).toMatch(/@media \(prefers-reduced-motion:no-preference\)\{\.f0\{animation/);
  expect(picture.match(/class="s f\d"/g)).toHaveLength(1);
});

test("docs/demo.svg names no user and no machine, and the README shows it with a text alternative", () => {
  expect(picture).not.toMatch(/\/(?:home|root|Users|work)\b|\(by /);
  expect(readFileSync(`${house}README.md`, "utf8")).toMatch(/!\[[^\]]{40,}\]\(docs\/demo\.svg\)/);
});

test("a screen is drawn with its characters, places and colours", () => {
  const screen = new Screen({ columns: 20, rows: 3 });
  screen.write("\u001b[32m✓\u001b[39m a < b   & c\r\n\r\n\u001b[1mend\u001b[22m");
  const drawn = svg({
    columns: 20,
    rows: 3,
    title: "one & two",
    description: "d",
    screens: [screen.rows()],
    still: 0,
  });
  expect(mistakesIn(drawn)).toEqual([]);
  expect(drawn).toContain('<title id="t">one &amp; two</title>');
  expect(drawn).toContain('<tspan x="16" textLength="8.4" class="c2">✓</tspan>');
  expect(drawn).toContain('<tspan x="32.8" textLength="42">a &lt; b</tspan>');
  expect(drawn).toContain('<tspan x="100" textLength="25.2">&amp; c</tspan>');
  expect(drawn).toMatch(/<text y="85"><tspan x="16" textLength="25.2" class="b">end</);
});

test.for([
  "<svg><g></svg>",
  "<svg><g></svg></g>",
  "<svg>a & b</svg>",
  "<svg>a < b</svg>",
  '<svg><g x="1></g></svg>',
  "<svg/><svg/>",
  "text",
])("the check of pictures finds that %s is not well-formed", (text) => {
  expect(mistakesIn(text)).not.toEqual([]);
});

/** Of the kind of XML that we write: elements, attributes in double quotes, text, five entities. */
function mistakesIn(xml: string): string[] {
  const open: string[] = [];
  const mistakes: string[] = [];
  let roots = 0;
  const tag = /<(\/?)([a-z]+)((?: [\w:-]+="[^"<&]*")*) ?(\/?)>/gi;
  for (const [, isEnd, name = "", , isEmpty] of xml.matchAll(tag)) {
    if (!isEnd && open.length === 0) roots += 1;
    if (isEnd && open.pop() !== name) mistakes.push(`</${name}> ends nothing`);
    if (!isEnd && !isEmpty) open.push(name);
  }
  const text = xml.replace(tag, "").replace(/&(?:amp|lt|gt|quot|apos);/g, "");
  if (/[<&]/.test(text)) mistakes.push(`what is this: ${text.match(/[<&].{0,20}/)?.[0]}`);
  if (roots !== 1 || !xml.startsWith("<svg")) mistakes.push("it is not one svg element");
  return [...mistakes, ...open.map((name) => `<${name}> has no end`)];
}
