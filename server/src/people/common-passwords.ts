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
  const letters = Array.from(text);
  const isLetter = (sign: string): boolean => /\p{L}/u.test(sign);
  const core = letters.slice(letters.findIndex(isLetter), letters.findLastIndex(isLetter) + 1).join('');
  return isSequence(text) || isRepeated(text) || core === '' || known.has(core) || isMadeOf(core);
}

/** `passwordpassword`, `qwertyasdfgh`: at each place it is asked once whether words lead there. */
function isMadeOf(text: string): boolean {
  const isReached = Array.from({ length: text.length + 1 }, (_, at) => at === 0);
  for (let at = 0; at < text.length; at += 1)
    if (isReached[at]) for (const word of words) if (text.startsWith(word, at)) isReached[at + word.length] = true;
  return isReached[text.length] === true;
}

/** Up to six characters over and over, with up to five others after them. */
function isRepeated(text: string): boolean {
  const letters = Array.from(text);
  const repeats = (length: number): boolean => {
    let same = 0;
    while (length + same < letters.length && letters[length + same] === letters[same]) same += 1;
    const whole = length + same - ((length + same) % length);
    return same >= length && letters.length - whole <= 5;
  };
  return [1, 2, 3, 4, 5, 6].some(repeats);
}

/** Only digits or letters that count up or down: 123456789012. */
function isSequence(text: string): boolean {
  const steps = Array.from(text)
    .slice(1)
    .map((character, at) => ((character.codePointAt(0) ?? 0) - (text.codePointAt(at) ?? 0) + 10) % 10);
  return steps.every((step) => step === 1) || steps.every((step) => step === 9);
}
