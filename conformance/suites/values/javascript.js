import { core, values } from "gg";

function same(one, other) {
  if (typeof one !== "object" || one === null) return Object.is(one, other);
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  for (const key of keys) if (!same(one[key], other[key])) return false;
  return true;
}

function check(echo, label, given, expected = given) {
  try {
    const back = echo(label, given);
    if (!same(back, expected)) console.log("came back:", label, back);
  } catch (error) {
    console.log("failed:", label, error instanceof core.ApiError ? error.message : error);
  }
}

function refused(what, call) {
  try {
    const got = call();
    console.log("was accepted:", what, got);
  } catch (error) {
    const right = error instanceof core.ApiError && error.code === "invalid-argument";
    if (!right) console.log("another failure:", what, error);
  }
}

check(values.echoBool, "true", true);
check(values.echoBool, "false", false);
check(values.echoU8, "zero", 0);
check(values.echoU8, "max", 255);
check(values.echoS16, "min", -32768);
check(values.echoS16, "minus-one", -1);
check(values.echoS16, "max", 32767);
check(values.echoU32, "zero", 0);
check(values.echoU32, "max", 4294967295);
check(values.echoU32, "high-bit", 2147483648);
check(values.echoS32, "min", -2147483648);
check(values.echoS32, "minus-one", -1);
check(values.echoS32, "zero", 0);
check(values.echoS32, "max", 2147483647);
check(values.echoU64, "zero", 0);
check(values.echoU64, "above-32-bits", 4294967296);
check(values.echoU64, "exact", Number.MAX_SAFE_INTEGER);
check(values.echoS64, "exact-min", Number.MIN_SAFE_INTEGER);
check(values.echoS64, "minus-one", -1);
check(values.echoS64, "exact", Number.MAX_SAFE_INTEGER);
check(values.echoF32, "zero", 0);
check(values.echoF32, "minus-zero", -0);
check(values.echoF32, "one-and-half", 1.5);
check(values.echoF32, "infinity", Infinity);
check(values.echoF32, "nan", NaN);
check(values.echoF64, "zero", 0);
check(values.echoF64, "minus-zero", -0);
check(values.echoF64, "infinity", Infinity);
check(values.echoF64, "minus-infinity", -Infinity);
check(values.echoF64, "nan", NaN);
check(values.echoF64, "least", 5e-324);
check(values.echoF64, "largest", Number.MAX_VALUE);
check(values.echoF64, "tenth", 0.1);
check(values.echoChar, "letter", "a");
check(values.echoChar, "nul", "\0");
check(values.echoChar, "accent", "\u00e9");
check(values.echoChar, "han", "\u6f22");
check(values.echoChar, "last", "\u{10ffff}");
check(values.echoChar, "emoji", "\u{1f600}");
check(values.echoText, "empty", "");
check(values.echoText, "nul", "a\0b\0");
check(values.echoText, "planes", "a\u00e9\u6f22\u{1f600}\u{10ffff}");
check(values.echoText, "last-of-plane", "\ud7ff\ue000\uffff");
check(values.echoText, "mark", "\ufeffa");
check(values.echoText, "lines", "a\r\nb\u2028c");
check(values.echoText, "mebibyte", "\u6f22b".repeat(1024 * 256));
const option = (label, given) => values.echoOption(label, given === undefined ? undefined : { given });
check(option, "absent", undefined);
check((label) => values.echoOption(label), "absent", undefined);
check((label) => values.echoOption(label, { given: undefined }), "absent", undefined);
check(option, "empty", "");
check(option, "present", "p");
check(values.echoShade, "dark", "dark");
check(values.echoShade, "medium-gray", "medium_gray");
check(values.echoShade, "bright", "bright");
check(values.echoItem, "vacant", { kind: "vacant" });
check(values.echoItem, "count", { kind: "count", value: 4294967295 });
check(values.echoItem, "words", { kind: "words", value: "w\0" });
check(values.echoItem, "measured", { kind: "measured", value: 2.5 });
const remarks = [{ body: "a", author: undefined }, { body: "", author: "b" }];
check(values.echoItem, "remarks", { kind: "remarks", value: remarks });
check(values.echoItem, "no-remarks", { kind: "remarks", value: [] });
check(values.echoItem, "single", { kind: "single", body: "s", author: "me" });
check(values.echoItem, "tone", { kind: "tone", value: "bright" });
check(values.echoItems, "empty", []);
check(
  values.echoItems,
  "mixed",
  [{ kind: "words", value: "a" }, { kind: "vacant" }, { kind: "count", value: 7 }, { kind: "single", body: "s" }, { kind: "vacant" }],
  [
    { kind: "words", value: "a" },
    { kind: "vacant" },
    { kind: "count", value: 7 },
    { kind: "single", body: "s", author: undefined },
    { kind: "vacant" },
  ],
);
const full = {
  counted: true, small: 255, large: Number.MAX_SAFE_INTEGER, title: "\u{1f9ed}", brightness: "medium_gray", measure: -0,
  labels: ["", "b"], remark: { body: "r", author: "a" }, former: "bright", numbers: [],
};
const bare = { counted: false, small: 0, large: 0, title: "", brightness: "dark", measure: 1.5, labels: [] };
const half = {
  counted: true, small: 1, large: 2, title: "t", brightness: "bright", measure: 0, labels: ["x"], remark: { body: "" },
  numbers: [-1, 2147483647],
};
check(values.echoThings, "empty", []);
check(values.echoThings, "several", [full, bare, half], [
  full,
  { ...bare, remark: undefined, former: undefined, numbers: undefined },
  { ...half, remark: { body: "", author: undefined }, former: undefined },
]);
check(values.echoNumbers, "empty", []);
check(values.echoNumbers, "hundred-thousand", Array.from({ length: 100000 }, (_, i) => i));
check(values.echoTexts, "empty", []);
check(values.echoTexts, "hundred-thousand", Array.from({ length: 100000 }, (_, i) => "line " + i));
check(values.echoTable, "empty", []);
check(values.echoTable, "rows", [[], [undefined], ["", undefined, "\u{1f600}"], []]);

// What does not fit its type fails here, before the host hears of it.
refused("a negative number", () => values.echoU8("x", -1));
refused("256 in 8 bits", () => values.echoU8("x", 256));
refused("a fraction", () => values.echoU32("x", 1.5));
refused("a number that is none", () => values.echoU32("x", NaN));
refused("2^31 with a sign", () => values.echoS32("x", 2147483648));
refused("2^53", () => values.echoU64("x", 9007199254740992));
refused("a big integer", () => values.echoU64("x", 1n));
refused("a number in a text", () => values.echoU32("x", "1"));
refused("a text of two characters", () => values.echoChar("x", "ab"));
refused("an empty text for a character", () => values.echoChar("x", ""));
refused("half of a pair", () => values.echoText("x", "a\ud800"));
refused("half of a pair in a list", () => values.echoTexts("x", ["a", "\udc00b"]));
refused("half of a pair as a character", () => values.echoChar("x", "\ud800"));
refused("null for a text", () => values.echoText("x", null));
refused("nothing for a text", () => values.echoText("x"));
refused("an unknown word", () => values.echoShade("x", "medium-gray"));
refused("an unknown kind", () => values.echoItem("x", { kind: "other" }));
refused("a kind without its value", () => values.echoItem("x", { kind: "count" }));
refused("a value without its kind", () => values.echoItem("x", { value: 1 }));
refused("a text for a list", () => values.echoTexts("x", "abc"));
refused("a field that is missing", () => values.echoThings("x", [{ ...full, title: undefined }]));
refused("a field that there is not", () => values.echoThings("x", [{ ...full, other: 1 }]));
refused("a field deep inside", () => values.echoThings("x", [full, { ...full, remark: { body: "a", author: 1 } }]));

// A number that this language cannot hold exactly fails loudly.
try {
  console.log("was rounded:", values.largest());
} catch (error) {
  if (!String(error).includes("18446744073709551615")) console.log("does not say which:", String(error));
}
console.log("done");
