/** What to look for in an auditor's reply: an object with a verdict, or with the parts of one. */

import { validateAudit } from "../check/validate-audit.ts";
import type { ExpectedObject } from "./expected-object.ts";

const marks = ["verdict", "findings", "evidence"] as const;
const mentions = marks.map((mark) => `"${mark}"`);

export const expectedAudit: ExpectedObject = {
  mentions,
  look({ source, value }) {
    const isOne =
      value === undefined
        ? mentions.some((mention) => source.includes(mention))
        : typeof value === "object" && value !== null && marks.some((mark) => Object.hasOwn(value, mark));
    return { carries: isOne, resembles: isOne };
  },
  isSound: (value) => validateAudit(value).audit !== undefined,
  isEmpty: () => false,
  words: {
    plural: "verdict",
    field: "verdict",
    two: "audits",
    one: "one audit",
    answerWith:
      'one ```json block that holds {"verdict": "PASS", "summary": "…", "evidence": […], "findings": […]}, where PASS may be FAIL or BLOCKED',
  },
};
