/**
 * Says where a text stops being JSON, and what to write instead, for the mistakes that models make.
 *
 * Nothing is repaired: a repaired envelope may hold a damaged file (`"\d+"` becomes `"d+"`, a cut-off file gets a neat
 * end), so the author is asked again.
 */
import { placeOf } from "../../std/place.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { codePointName } from "../../std/unicode.ts";
import type { Want } from "./scan.ts";

export function syntaxProblem(text: string, at: number, want: Want | "end"): Problem {
  const { line, column } = placeOf(text, at);
  const mistake = mistakeAt(text, at, want);
  const near = at < text.length ? `; near: ${surroundings(text, at)}` : "";
  return {
    code: "JSON_SYNTAX",
    message: `not valid JSON at line ${line}, column ${column}: ${mistake.what}${near}`,
    hint: mistake.hint,
  };
}

function surroundings(text: string, at: number): string {
  const [from, to] = [Math.max(0, at - 20), Math.min(text.length, at + 20)];
  return (from > 0 ? "…" : "") + oneLine(text.slice(from, to)) + (to < text.length ? "…" : "");
}

/**
 * The first position inside a string where JSON's rules for strings are broken: a raw control character, or an invalid
 * escape. The scanner skips strings, so this runs only when `JSON.parse` disagreed with it.
 */
export function badCharacterInString(text: string, from: number, end: number): number {
  let inString = false;
  for (let at = from; at < end; at += 1) {
    const char = text.charCodeAt(at);
    if (char === 0x22) inString = !inString;
    else if (!inString) continue;
    else if (char < 0x20) return at;
    else if (char === 0x5c) {
      if (!isEscape(text, at)) return at;
      at += 1;
    }
  }
  return end;
}

interface Mistake {
  readonly what: string;
  readonly hint: string;
}

function mistakeAt(text: string, at: number, want: Want | "end"): Mistake {
  const char = text[at];
  if (char === undefined) {
    return {
      what:
        want === "string-end"
          ? "the text ends inside a string"
          : "the text ends before the value is complete",
      hint: "The reply was cut off: send all of it again, in smaller operations or several replies if it is too long.",
    };
  }
  return (
    (want === "string-end" ? stringMistake(text, at, char) : undefined) ??
    foreignMistake(text, at, char) ??
    structureMistake(text, at, want)
  );
}

function stringMistake(text: string, at: number, char: string): Mistake {
  if (char === "\\") {
    return {
      what: `${oneLine(text.slice(at, at + 2))} is not an escape of JSON`,
      hint: 'Write every backslash of the file\'s content as two: "\\\\d", "C:\\\\dir".',
    };
  }
  if (char === "\n" || char === "\r") {
    return {
      what: "a raw line break inside a string",
      hint: 'Write line breaks inside a string as \\n; or an earlier quote is not closed or not written as \\".',
    };
  }
  if (char === "\u001b") return ansi;
  return {
    what: `a raw control character (${codePointName(char)}) inside a string`,
    hint: char === "\t" ? "Write a tab inside a string as \\t." : "Write control characters as \\uXXXX.",
  };
}

const ansi: Mistake = {
  what: "a terminal colour code (ESC)",
  hint: "Print the reply without colours: set NO_COLOR=1, or turn colours off in the program that printed it.",
};

/** Syntax that belongs to JavaScript, Python, a terminal or a word processor. */
function foreignMistake(text: string, at: number, char: string): Mistake | undefined {
  if (char === "\u001b") return ansi;
  if (text.startsWith("```", at) || text.startsWith("~~~", at)) {
    return {
      what: "the block ends before the value is complete",
      hint: "Write the value to its last bracket before you close the block.",
    };
  }
  if (char === "'" || char === "`") {
    return { what: `a string in ${char}`, hint: 'Put strings and keys in double quotes: "text".' };
  }
  if (/[“”„‘’«»]/.test(char)) {
    return { what: "a typographic quote", hint: 'Use the plain double quote, U+0022: "text".' };
  }
  if (text.startsWith("//", at) || text.startsWith("/*", at) || char === "#") {
    return {
      what: "a comment",
      hint: "JSON has no comments: leave it out, or say it in specialist_summary.",
    };
  }
  if (text.startsWith("...", at) || char === "…") {
    return {
      what: "something is left out (...)",
      hint: "Write everything out in full: nothing can be abbreviated.",
    };
  }
  return undefined;
}

const literals: Readonly<Record<string, string>> = {
  True: "true",
  False: "false",
  None: "null",
  undefined: "null, or leave the key out",
  NaN: "a number",
  Infinity: "a number",
};

function structureMistake(text: string, at: number, want: Want | "end"): Mistake {
  const word = /^[A-Za-z_$][\w$-]{0,30}/.exec(text.slice(at, at + 32))?.[0];
  const char = text[at] ?? "";
  switch (want) {
    case "key":
    case "key-or-end":
      if (char === "}") return { what: "a comma before }", hint: "Remove the comma after the last entry." };
      if (word !== undefined)
        return { what: "a key without quotes", hint: `Put keys in double quotes: "${word}": …` };
      return { what: "a key was expected", hint: 'An object is written {"key": value, "key": value}.' };
    case "colon":
      return { what: "a colon was expected after the key", hint: 'An entry is written "key": value.' };
    case "value":
    case "value-or-end":
      if (char === "]" || char === "}") {
        return { what: `a value was expected before ${char}`, hint: "Remove the comma, or write the value." };
      }
      if (word !== undefined && Object.hasOwn(literals, word)) {
        return { what: `${word} is not a value of JSON`, hint: `Write ${literals[word]}.` };
      }
      if (/[-+.0-9]/.test(char)) {
        return {
          what: "not a valid JSON number",
          hint: "Write numbers like 0, -1, 2.5, 1e3: no +, no leading 0 or dot.",
        };
      }
      return {
        what: "a value was expected",
        hint: 'A value is "text", a number, true, false, null, {…} or […].',
      };
    case "end":
      return { what: "more text after the value", hint: "Make the value the only thing in its block." };
    default:
      return afterValueMistake(char, want);
  }
}

function afterValueMistake(char: string, want: Want): Mistake {
  const close = want === "comma-or-brace" ? "}" : "]";
  if (char === '"' || char === "{" || char === "[") {
    return {
      what: `a comma or ${close} was expected`,
      hint: 'Put a comma between entries; write quotes inside a string as \\".',
    };
  }
  if (char === "}" || char === "]") {
    return {
      what: `${close} was expected, not ${char}`,
      hint: "Close brackets in the order in which they were opened.",
    };
  }
  return {
    what: `a comma or ${close} was expected`,
    hint: 'If this is still part of a string, the quote before it must be written as \\".',
  };
}

function isEscape(text: string, at: number): boolean {
  const char = text[at + 1] ?? "";
  if (char === "u") return /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6));
  return char !== "" && '"\\/bfnrt'.includes(char);
}
