/**
 * Passwords of twelve characters and more that are tried first: words and rows of keys that people repeat, count on or
 * put a year behind. Compared without capitals, and without digits and signs at the end.
 */
const words = [
  'password',
  'passwort',
  'motdepasse',
  'contraseña',
  'contrasena',
  'senha',
  'parola',
  'haslo',
  'letmein',
  'welcome',
  'iloveyou',
  'administrator',
  'superman',
  'football',
  'baseball',
  'princess',
  'sunshine',
  'dragon',
  'master',
  'monkey',
  'trustno',
  'changeme',
  'whatever',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'qwerty',
  'qwertz',
  'azerty',
  'asdfghjkl',
  'asdfgh',
  'zxcvbnm',
  'yxcvbnm',
  'abc',
  'abcdef',
  'quittance',
  'bitcoin',
  'satoshi',
  'crypto',
  'correcthorsebatterystaple',
];

const known = new Set(words);

export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase().replace(/[\s._-]/g, '');
  const core = text.replace(/[^\p{L}]+$/u, '').replace(/^[^\p{L}]+/u, '');
  return isSequence(text) || isRepeated(text) || core === '' || known.has(core) || isMadeOf(core);
}

/** `passwordpassword`, `qwertyasdfgh`. */
function isMadeOf(text: string): boolean {
  if (text === '') return true;
  return words.some((word) => text.startsWith(word) && isMadeOf(text.slice(word.length)));
}

const isRepeated = (text: string): boolean => /^(.{1,6}?)\1+.{0,5}$/u.test(text);

/** Only digits or letters that count up or down: 123456789012. */
function isSequence(text: string): boolean {
  const steps = Array.from(text)
    .slice(1)
    .map((character, at) => ((character.codePointAt(0) ?? 0) - (text.codePointAt(at) ?? 0) + 10) % 10);
  return steps.every((step) => step === 1) || steps.every((step) => step === 9);
}
