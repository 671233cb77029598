// Puts a fresh page in the place of what is shown, part by part: a part is kept if the server would render it the same, so
// that the focus, an open drawer and a half-typed address stay. Parts are known by their id, by a key, or by being the
// same kind of element in the same order; those that consist of parts say so (data-parts).

const all = (selector, root) => [...root.querySelectorAll(selector)];
const hasParts = (part) => 'parts' in part.dataset;

/** By part, as the server rendered it: a script may have changed it since. */
const rendered = new WeakMap();

export const remember = (parent) => {
  for (const part of parent.children) {
    if (hasParts(part)) remember(part);
    else rendered.set(part, part.outerHTML);
  }
};

function namedParts(parent) {
  const seen = new Map();
  return [...parent.children].map((part) => {
    const kind = `${part.localName}.${part.className}`;
    const before = seen.get(kind) ?? 0;
    seen.set(kind, before + 1);
    return { part, name: part.id || part.dataset.key || `${kind} ${before}` };
  });
}

/** In a part that is replaced: keeps open drawers, the chosen code and what was typed. */
function keepInput(known, replacement) {
  if (known.open) replacement.open = true;
  const twin = (each) => all(`#${CSS.escape(each.id)}`, replacement)[0];
  for (const drawer of all('details[id][open]', known)) twin(drawer)?.setAttribute('open', '');
  for (const input of all('input[id]', known)) {
    const fresh = twin(input);
    if (fresh && (input.type === 'radio' || input.type === 'checkbox')) fresh.checked = input.checked;
    else if (fresh && input.value !== input.defaultValue) fresh.value = input.value;
  }
  // A coin or a network that was picked; of those that have no id the name and the value say which it is.
  for (const { name, value } of all('input:checked:not([id])', known)) {
    const fresh = all('input[type=radio]', replacement).find((each) => each.name === name && each.value === value);
    if (fresh) fresh.checked = true;
  }
}

/** `isHeld`: stays whatever the fresh page says of it, also nothing. */
export function swap(parent, fresh, isHeld = () => false) {
  const old = new Map(namedParts(parent).map(({ part, name }) => [name, part]));
  const wanted = namedParts(fresh).map(({ part, name }) => {
    const known = old.get(name);
    if (known && hasParts(part) && hasParts(known)) {
      known.className = part.className;
      swap(known, part, isHeld);
      return known;
    }
    const text = part.outerHTML;
    if (known && (rendered.get(known) === text || isHeld(known))) return known;
    const replacement = document.importNode(part, true);
    if (hasParts(part)) remember(replacement);
    else rendered.set(replacement, text);
    if (known) keepInput(known, replacement);
    return replacement;
  });
  for (const part of [...parent.children]) if (!wanted.includes(part) && !isHeld(part)) part.remove();
  wanted.forEach((part, at) => {
    if (parent.children[at] !== part) parent.insertBefore(part, parent.children[at] ?? null);
  });
}
