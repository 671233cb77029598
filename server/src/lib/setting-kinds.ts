/** The kinds of values that settings of every part take. A secret's text is never repeated in a message. */
import { Secret } from './secret.ts';
import type { Kind, Told } from './setting-table.ts';
import { isAccountId, issuerKeypair, readSeed } from './strkey.ts';

export const text: Kind<string> = { read: (given) => given };

export const secret: Kind<Secret> = { isSecret: true, read: (given) => new Secret(given) };

/** Opens nothing, but shows whoever reads it every address that was and will be paid to. */
export const accountKey: Kind<string> = { isSecret: true, read: (given) => given };

export const integer = (min: number, max: number): Kind<number> => ({
  read(given, { name, problem }) {
    const value = /^\d+$/.test(given) ? Number(given) : Number.NaN; // Number itself would read 1e3 and 0x10.
    if (value >= min && value <= max) return value;
    return problem(`${name} must be a whole number from ${min} to ${max}, but is ${JSON.stringify(given)}.`);
  },
});

export const choice = <T extends string>(...options: readonly T[]): Kind<T> => ({
  read: (given, { name, problem }) =>
    options.find((option) => option === given) ??
    problem(`${name} must be ${options.join(' or ')}, but is ${JSON.stringify(given)}.`),
});

export const onOrOff: Kind<boolean> = {
  read(given, told) {
    const chosen = choice('on', 'off').read(given, told);
    return chosen === undefined ? undefined : chosen === 'on';
  },
};

/** Comma-separated. Wrong parts are left out, and each is reported. */
export const list = <T>(readPart: (part: string, told: Told) => T | undefined): Kind<readonly T[]> => ({
  read: (given, told) =>
    given
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map((part) => readPart(part, told))
      .filter((part) => part !== undefined),
});

/** The address of a node, which contains a user and a password, or a key. */
export const nodeUrl: Kind<Secret> = {
  isSecret: true,
  read(given, { name, problem }) {
    if (!/^https?:\/\//.test(given)) problem(`${name} must begin with http:// or https://.`);
    else if (!URL.canParse(given)) problem(`${name} must be an address such as http://host:port.`);
    return new Secret(given);
  },
};

// Not repeated in a message: a seed looks much like an account id, and is easily given instead of one.
export const stellarAccount: Kind<string> = {
  read(given, { name, problem }) {
    if (!isAccountId(given)) problem(`${name} must be a Stellar account id (G and 55 further characters).`);
    return given;
  },
};

export const stellarSeed: Kind<{ readonly seed: Secret; readonly accountId: string }> = {
  isSecret: true,
  read(given, { name, problem }) {
    const seed = readSeed(given);
    if (!seed) return problem(`${name} must be a Stellar seed (S and 55 further characters).`);
    return { seed: new Secret(given), accountId: issuerKeypair(seed).accountId };
  },
};
