import assert from "node:assert/strict";
import { test } from "node:test";
import { subtotal } from "../src/till.js";

test("prices are counted and added", () => {
  const items = [
    { price: 250, count: 2 },
    { price: 99, count: 1 },
  ];
  assert.equal(subtotal(items), 599);
});
