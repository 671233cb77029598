import { readFileSync } from 'node:fs';
import { Secret } from '../../lib/secret.ts';
import { integer, onOrOff, secret, text } from '../../lib/setting-kinds.ts';
import { describeSettings, type Kind, type SettingTable, type Told } from '../../lib/setting-table.ts';
import type { SettingsOf } from '../settings-reader.ts';
import type { PixSettings } from './pix.ts';

function readPem(given: string, { name, problem }: Told): string {
  // An environment has no line breaks, so PEM text may write them as \n.
  if (given.startsWith('-----BEGIN')) return given.replaceAll('\\n', '\n');
  try {
    return readFileSync(given, 'utf8');
  } catch {
    problem(`${name} names a file that cannot be read.`);
    return '';
  }
}

const certificate: Kind<string> = { read: readPem };
const certificateKey: Kind<Secret> = { isSecret: true, read: (given, told) => new Secret(readPem(given, told)) };

const bankUrl: Kind<string> = {
  read(given, { name, problem }) {
    if (!/^https?:$/.test(URL.parse(given)?.protocol ?? '')) problem(`${name} must begin with https:// or http://.`);
    return given;
  },
};

// Whoever reads the secret on its way can give money back, and read who paid.
const onlySecure = (url?: string): string | null =>
  url === undefined || URL.parse(url)?.protocol === 'https:' ? null : 'must begin with https:// in production.';

/** As codes carry it: capital or small letters without accents, digits, and little else. */
const codeText = (longest: number): Kind<string> => ({
  read(given, { name, problem }) {
    if (!/^[A-Za-z0-9 .,&/-]+$/.test(given) || given.length > longest)
      problem(`${name} must be at most ${longest} letters without accents, digits and spaces.`);
    return given;
  },
});

const chave: Kind<string> = {
  read(given, { name, problem }) {
    if (!/^[\x21-\x7e]{1,77}$/.test(given)) problem(`${name} must be a Pix key of at most 77 characters.`);
    return given;
  },
};

const prefix = 'PIX_';
const table = {
  URL: {
    kind: bankUrl,
    otherwise: 'the sandbox',
    meaning: "https://… of your bank's Pix interface (API Pix 2), up to and without /cob.",
    wrongInProduction: onlySecure,
  },
  TOKEN_URL: {
    kind: bankUrl,
    otherwise: '/oauth/token on the host of PIX_URL',
    meaning: 'Where your bank gives out tokens.',
    wrongInProduction: onlySecure,
  },
  CLIENT_ID: { kind: text, otherwise: 'must be set with PIX_URL', meaning: 'From your bank.' },
  CLIENT_SECRET: {
    kind: secret,
    otherwise: 'must be set with PIX_URL',
    meaning: 'From your bank. Needs the scopes cob.write, cob.read and pix.read; with PIX_RETURNS also pix.write.',
  },
  CERTIFICATE: {
    kind: certificate,
    otherwise: 'none',
    meaning: 'Your certificate, with which your bank knows you: its file, or PEM text.',
  },
  CERTIFICATE_KEY: { kind: certificateKey, otherwise: 'none', meaning: 'The key of it: its file, or PEM text.' },
  AUTHORITY: {
    kind: certificate,
    otherwise: 'a public authority',
    meaning: "Who signed your bank's certificate: its file, or PEM text.",
  },
  CHAVE: { kind: chave, otherwise: 'must be set with PIX_URL', meaning: 'The Pix key (chave) that receives.' },
  NAME: {
    kind: codeText(25),
    fallback: 'RECEBEDOR',
    meaning: 'Who receives, as codes say it, where your bank gives a place instead of a whole code.',
  },
  CITY: { kind: codeText(15), fallback: 'BRASIL', meaning: 'The city of who receives, likewise.' },
  RETURNS: {
    kind: onOrOff,
    fallback: 'off',
    meaning:
      'Whether refunds go back over Pix, to whoever paid: on or off. Your bank must have allowed the scope pix.write.',
  },
  POLL_SECONDS: {
    kind: integer(0, 600),
    fallback: '5',
    meaning: 'Pause between two looks: banks count how often they are asked.',
  },
  LOOK_BACK_MINUTES: {
    kind: integer(0, 1440),
    fallback: '10',
    meaning: 'How often the last 120 days are looked through for what was contested or given back.',
  },
} satisfies SettingTable;

export const pixSettings: SettingsOf<PixSettings> = {
  described: describeSettings(table, prefix),
  read({ of, given, problem, isProduction }) {
    const value = of(table, prefix);
    const baseUrl = value('URL');
    if (baseUrl === undefined) {
      const set = Object.keys(table).find((name) => given(`${prefix}${name}`) !== undefined);
      if (set !== undefined) problem(`PIX_URL must be set, because ${prefix}${set} is.`);
      return undefined;
    }
    const [clientId, clientSecret, receiverKey] = [value('CLIENT_ID'), value('CLIENT_SECRET'), value('CHAVE')];
    const [ownCertificate, ownKey] = [value('CERTIFICATE'), value('CERTIFICATE_KEY')];
    const receiver = { key: receiverKey ?? '', name: value('NAME'), city: value('CITY') };
    const missing = Object.entries({ CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, CHAVE: receiverKey });
    for (const [name] of missing.filter(([, found]) => found === undefined))
      problem(`${prefix}${name} must be set, because PIX_URL is.`);
    if ((ownCertificate === undefined) !== (ownKey === undefined))
      problem('PIX_CERTIFICATE and PIX_CERTIFICATE_KEY must be set together.');
    else if (ownCertificate === undefined && isProduction)
      problem('PIX_CERTIFICATE must be set in production: the interface asks for a certificate on both sides.');
    const tokenUrl = value('TOKEN_URL') ?? URL.parse('/oauth/token', baseUrl)?.href ?? '';
    const authority = value('AUTHORITY') ?? null;
    const pauseMs = value('POLL_SECONDS') * 1000;
    const againMs = value('LOOK_BACK_MINUTES') * 60_000;
    const returns = value('RETURNS');
    if (clientId === undefined || clientSecret === undefined || receiverKey === undefined) return undefined;
    return {
      baseUrl,
      tokenUrl,
      clientId,
      clientSecret,
      certificate: ownCertificate ?? null,
      certificateKey: ownKey ?? null,
      authority,
      returns,
      receiver,
      pauseMs,
      againMs,
    };
  },
};
