// The part of the guest that is written in JavaScript: the failure class, `console`, and values put in words.
//
// It is evaluated once, before the snapshot is taken. A program may change any built-in object later, so everything needed
// then is captured here, text is put together by `+`, and no getter, proxy trap or method of a program's value is called.
(function (native, codes) {
  "use strict";

  const { apply, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
  const { defineProperty, freeze } = Object;
  const stringify = JSON.stringify;
  const asString = String;
  const asNumber = Number;
  const uncurry = (method) => (self, ...given) => apply(method, self, given); // gathered, never spread: no iterator is run
  const slice = uncurry(String.prototype.slice);
  const indexOf = uncurry(String.prototype.indexOf);
  const numberText = uncurry(Number.prototype.toString);
  const isoDate = uncurry(Date.prototype.toISOString);
  const dateTime = uncurry(Date.prototype.getTime);
  const mapForEach = uncurry(Map.prototype.forEach);
  const setForEach = uncurry(Set.prototype.forEach);
  const matches = uncurry(RegExp.prototype.exec);
  const symbolText = uncurry(Symbol.prototype.toString);
  const functionText = uncurry(Function.prototype.toString);
  const getterOf = (prototype, name) => uncurry(getOwnPropertyDescriptor(prototype, name).get);
  const engineStack = getterOf(Error.prototype, "stack");
  const patternSource = getterOf(RegExp.prototype, "source");
  const flags = ["hasIndices", "global", "ignoreCase", "multiline", "dotAll", "unicode", "unicodeSets", "sticky"];
  const flagLetters = "dgimsuvy";
  for (let i = 0; i < flags.length; i++) flags[i] = getterOf(RegExp.prototype, flags[i]);
  const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
  const PROGRAM_LOCATION = /program\.js:\d+:\d+/;

  const MAX_ITEMS = 100; // of one array, object, map or set
  const MAX_DEPTH = 4;
  const MAX_VALUES = 10000; // in one line of output: shared objects can be shown many times over
  const MAX_LINE = 72; // characters of an object on one line
  const MAX_CHAIN = 20; // prototypes, or causes of an error, that are followed

  // ---- the failure of a call ------------------------------------------------------------------------------------

  class ApiError extends Error {
    constructor(operation, code, message) {
      super(message);
      defineProperty(this, "operation", { value: operation, enumerable: true, writable: true, configurable: true });
      defineProperty(this, "code", { value: code, enumerable: true, writable: true, configurable: true });
    }

    toJSON() {
      return { operation: this.operation, code: this.code, message: this.message };
    }
  }
  defineProperty(ApiError.prototype, "name", { value: "ApiError", configurable: true, writable: true });
  freeze(ApiError.prototype);
  freeze(ApiError);
  const failurePrototype = ApiError.prototype;
  const referencePrototype = ReferenceError.prototype;
  const objectPrototype = Object.prototype;

  // ---- reading without running anything -------------------------------------------------------------------------

  // The value of a data property, looked for along the prototypes; undefined for a getter or behind a proxy.
  function dataOf(object, key) {
    for (let i = 0; i < MAX_CHAIN && object !== null && object !== undefined; i++) {
      if (native.classify(object) === "proxy") return undefined;
      const found = getOwnPropertyDescriptor(object, key);
      if (found !== undefined) return found.value;
      object = getPrototypeOf(object);
    }
    return undefined;
  }

  function inherits(object, prototype) {
    for (let i = 0; i < MAX_CHAIN && object !== null; i++) {
      if (object === prototype) return true;
      if (native.classify(object) === "proxy") return false;
      object = getPrototypeOf(object);
    }
    return false;
  }

  function constructorName(object) {
    const made = dataOf(object, "constructor");
    const name = typeof made === "function" ? dataOf(made, "name") : undefined;
    return typeof name === "string" ? name : "";
  }

  // ---- values in words ------------------------------------------------------------------------------------------

  function inspect(value, state, depth) {
    state.left -= 1;
    if (state.left < 0) return "...";
    switch (typeof value) {
      case "string":
        return stringify(value);
      case "bigint":
        return asString(value) + "n";
      case "symbol":
        return symbolText(value);
      case "number":
        return value === 0 && 1 / value < 0 ? "-0" : numberText(value);
      case "function":
        return functionWords(value);
      case "object":
        return value === null ? "null" : inspectObject(value, state, depth);
      default:
        return asString(value);
    }
  }

  function functionWords(value) {
    if (native.classify(value) === "proxy") return "[Proxy]";
    const name = dataOf(value, "name");
    const isClass = slice(functionText(value), 0, 5) === "class";
    return (isClass ? "[class " : "[Function: ") + (typeof name === "string" && name !== "" ? name : "(anonymous)") + "]";
  }

  function patternWords(pattern) {
    let letters = "";
    for (let i = 0; i < flags.length; i++) if (flags[i](pattern)) letters += flagLetters[i];
    return "/" + patternSource(pattern) + "/" + letters;
  }

  function inspectObject(object, state, depth) {
    const kind = native.classify(object);
    if (kind === "proxy") return "[Proxy]";
    for (let above = state.above; above !== null; above = above.above) if (above.object === object) return "[Circular]";
    if (kind === "date") {
      const time = dateTime(object);
      return time === time ? isoDate(object) : "Invalid Date";
    }
    if (kind === "regexp") return patternWords(object);
    const name = constructorName(object);
    if (depth > MAX_DEPTH) return kind === "array" ? "[Array]" : "[" + (name || "Object") + "]";
    state.above = { object, above: state.above };
    const words = kind === "error" ? errorWords(object, state, depth) : membersWords(object, kind, name, state, depth);
    state.above = state.above.above;
    return words;
  }

  function membersWords(object, kind, name, state, depth) {
    const list = { words: "", count: 0, hidden: 0, broken: false };
    const add = (text) => {
      if (list.count === MAX_ITEMS) list.hidden += 1;
      else {
        list.words += (list.count === 0 ? "" : ",\n") + text;
        list.count += 1;
        list.broken = list.broken || indexOf(text, "\n") >= 0;
      }
    };
    let title = "";
    if (kind === "map") {
      mapForEach(object, (item, key) => {
        if (list.count < MAX_ITEMS) add(inspect(key, state, depth + 1) + " => " + inspect(item, state, depth + 1));
        else list.hidden += 1;
      });
      title = "Map(" + (list.count + list.hidden) + ") ";
    } else if (kind === "set") {
      setForEach(object, (item) => (list.count < MAX_ITEMS ? add(inspect(item, state, depth + 1)) : (list.hidden += 1)));
      title = "Set(" + (list.count + list.hidden) + ") ";
    } else if (kind === "array") {
      arrayMembers(object, add, list, state, depth);
      if (name !== "Array") title = (name || "Array") + " ";
    } else {
      if (kind !== "object") title = (name || kind) + " ";
      else if (name !== "Object") title = (name || "[Object: null prototype]") + " ";
      if (kind === "promise") add("<" + native.promiseState(object) + ">");
    }
    if (kind !== "array") namedMembers(object, add, list, state, depth);
    if (list.hidden > 0) {
      list.count = 0;
      list.words += ",\n... " + list.hidden + " more";
    }
    const open = kind === "array" ? "[" : "{";
    const close = kind === "array" ? "]" : "}";
    if (list.words === "") return title + open + close;
    const line = oneLine(list.words);
    if (!list.broken && line.length <= MAX_LINE) return title + open + " " + line + " " + close;
    return title + open + "\n  " + indented(list.words) + "\n" + close;
  }

  function arrayMembers(array, add, list, state, depth) {
    const length = array.length; // an array's own: no getter
    let holes = 0;
    for (let i = 0; i < length && list.count < MAX_ITEMS && holes <= MAX_ITEMS; i++) {
      const found = getOwnPropertyDescriptor(array, i);
      if (found === undefined) {
        holes += 1;
        if (holes <= MAX_ITEMS) add("<empty>");
      } else add(memberWords(found, state, depth));
    }
    list.hidden = length - list.count;
  }

  function namedMembers(object, add, list, state, depth) {
    const keys = ownKeys(object);
    for (let i = 0; i < keys.length; i++) {
      const found = getOwnPropertyDescriptor(object, keys[i]);
      if (found === undefined || !found.enumerable) continue;
      if (list.count === MAX_ITEMS) {
        list.hidden += 1;
        continue;
      }
      const key = typeof keys[i] === "symbol" ? "[" + symbolText(keys[i]) + "]" : keyWords(keys[i]);
      add(key + ": " + memberWords(found, state, depth));
    }
  }

  const keyWords = (key) => (matches(IDENTIFIER, key) === null ? stringify(key) : key);

  function memberWords(found, state, depth) {
    if (found.get !== undefined || found.set !== undefined) return found.get === undefined ? "[Setter]" : "[Getter]";
    return inspect(found.value, state, depth + 1);
  }

  function replaceBreaks(text, by) {
    let out = "";
    for (let at = 0; ; ) {
      const end = indexOf(text, "\n", at);
      if (end < 0) return out + slice(text, at);
      out += slice(text, at, end) + by;
      at = end + 1;
    }
  }

  const oneLine = (text) => replaceBreaks(text, " ");
  const indented = (text) => replaceBreaks(text, "\n  ");

  // ---- errors ---------------------------------------------------------------------------------------------------

  function headline(error) {
    const message = dataOf(error, "message");
    let words = typeof message === "string" ? message : "";
    if (inherits(error, failurePrototype)) {
      const operation = dataOf(error, "operation");
      const code = dataOf(error, "code");
      if (typeof operation === "string" && typeof code === "string")
        words = "`" + operation + "` failed (" + code + "): " + words;
    }
    let name = dataOf(error, "name");
    if (typeof name !== "string" || name === "Error") name = constructorName(error) || "Error";
    return words === "" ? name : name + ": " + words;
  }

  // The lines of the stack that lie in the program; those of the engine and of the SDK are not the program's to mend.
  function programFrames(error) {
    const own = getOwnPropertyDescriptor(error, "stack"); // where the program, or Error.captureStackTrace, put one
    const stack = own === undefined ? engineStack(error) : own.value;
    let frames = "";
    if (typeof stack !== "string") return frames;
    for (let at = 0; at < stack.length; ) {
      let end = indexOf(stack, "\n", at);
      if (end < 0) end = stack.length;
      const line = slice(stack, at, end);
      if (matches(PROGRAM_LOCATION, line) !== null) frames += "\n" + line;
      at = end + 1;
    }
    return frames;
  }

  function errorWords(error, state, depth) {
    let words = headline(error) + programFrames(error);
    const cause = getOwnPropertyDescriptor(error, "cause");
    if (cause !== undefined && "value" in cause) words += "\n  [cause]: " + indented(inspect(cause.value, state, depth + 1));
    const errors = getOwnPropertyDescriptor(error, "errors");
    if (errors !== undefined && native.classify(errors.value) === "array")
      words += "\n  [errors]: " + indented(inspect(errors.value, state, depth + 1));
    return words;
  }

  const fresh = () => ({ left: MAX_VALUES, above: null });

  function describeError(error) {
    if (native.classify(error) !== "error") {
      const words = typeof error === "string" ? error : inspect(error, fresh(), 0);
      return ["Uncaught " + words, undefined, "other", undefined];
    }
    const words = inspect(error, fresh(), 0);
    const located = matches(PROGRAM_LOCATION, programFrames(error));
    const location = located === null ? undefined : located[0];
    if (inherits(error, failurePrototype)) {
      const code = dataOf(error, "code");
      for (let i = 0; i < codes.length; i++) if (codes[i] === code) return [words, location, "api-failure", i];
    }
    return [words, location, inherits(error, referencePrototype) ? "unknown-name" : "other", undefined];
  }

  // ---- console --------------------------------------------------------------------------------------------------

  const shown = (value) => (typeof value === "string" ? value : inspect(value, fresh(), 0));

  // %s %d %i %f %j %o %O %c %% in a first argument that is a string; the other arguments follow, a space between.
  function formatted(values) {
    let next = 0;
    let out = "";
    if (typeof values[0] === "string" && values.length > 1) {
      const pattern = values[0];
      next = 1;
      for (let at = 0; at < pattern.length; at++) {
        const letter = pattern[at] === "%" ? pattern[at + 1] : undefined;
        if (letter === "%") out += "%";
        else if (next < values.length && letter !== undefined && indexOf("sdifjoOc", letter) >= 0)
          out += substituted(letter, values[next++]);
        else {
          out += pattern[at];
          continue;
        }
        at += 1;
      }
    } else if (values.length > 0) {
      out = shown(values[0]);
      next = 1;
    }
    for (; next < values.length; next++) out += " " + shown(values[next]);
    return out;
  }

  function substituted(letter, value) {
    if (letter === "c") return "";
    if (letter === "s") return shown(value);
    if (letter === "d" || letter === "i" || letter === "f") {
      if (typeof value === "object" || typeof value === "function" || typeof value === "symbol") return "NaN";
      const number = asNumber(value);
      return numberText(letter === "i" ? number - (number % 1) : number);
    }
    return inspect(value, fresh(), 0);
  }

  const log = (values) => native.log(formatted(values));
  const console = {};
  const names = ["debug", "error", "info", "log", "warn"];
  for (let i = 0; i < names.length; i++) {
    const method = (...values) => log(values);
    defineProperty(method, "name", { value: names[i] });
    console[names[i]] = method;
  }
  defineProperty(globalThis, "console", { value: console, writable: true, configurable: true });

  // Its origin is the clock of the build; `Date.now` is the clock of the run.
  delete globalThis.performance;

  return { apiError: ApiError, core: freeze(defineProperty({}, "ApiError", { value: ApiError, enumerable: true })), describeError };
});
