/** People and their browsers over plain HTTP, for what no browser would send. Each visitor keeps cookies as one would. */
import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, request } from 'node:http';
import { newFormName } from '../src/account/frame/send-once.ts';
import { invite } from '../src/people/join-account.ts';
import type { Role, StaffRole } from '../src/people/roles.ts';
import { beKnown } from './be-known.ts';
import { type Gateway, type GatewayOptions, startGateway } from './gateway.ts';
import { type PasskeyDevice, passkeyDevice } from './passkey-device.ts';

export type PageAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Where it leads. */
  readonly location: string;
  /** What is asked of a passkey, or where a script goes on. */
  readonly json: { readonly challenge: string; readonly next: string };
};

export type Form = Readonly<Record<string, string>>;
export type Headers = Readonly<Record<string, string | undefined>>;

export type Visitor = {
  readonly device: PasskeyDevice;
  get(path: string, headers?: Headers): Promise<PageAnswer>;
  /** As our own page would, unless the headers say something else; each time as another form, unless it is named. */
  post(path: string, form?: Form, headers?: Headers): Promise<PageAnswer>;
  /** Forms say that they are meant for this account. */
  lookAt(merchantId: string): void;
  /** From now on another process is asked; null: the gateway's own. */
  goThrough(origin: string | null): void;
  cookie(name: string): string | undefined;
  setCookie(name: string, value: string): void;
  /** Names themselves after a link. */
  join(token: string, name: string, email?: string): Promise<PageAnswer>;
  addFirstPasskey(): Promise<void>;
  signInWithPasskey(device?: PasskeyDevice): Promise<PageAnswer>;
  signInWithPassword(email: string, password: string): Promise<PageAnswer>;
  /** Shows the passkey once more. */
  prove(): Promise<PageAnswer>;
};

export const sessionCookie = 'quittance-session';
export const goodPassword = 'a quiet evening in may';

export type AccountWorld = {
  readonly gateway: Gateway;
  readonly accountUrl: string;
  visitor(from?: { address?: string }): Visitor;
  /** The token of a link for somebody. */
  invitation(email: string | null, role: Role | StaffRole, merchantId?: string | null): Promise<string>;
  /** Somebody who belongs to the account and signed in with a passkey just now. */
  member(role: Role, email: string, merchantId?: string): Promise<Visitor>;
  /** Likewise of the operator's staff, and of no account. */
  staff(role: StaffRole, email: string): Promise<Visitor>;
  /** As who has been in their accounts for long: whoever is new approves nothing for a day. */
  beKnown(email: string): Promise<void>;
  /** Somebody with only a password. */
  memberWithPassword(role: Role, email: string, merchantId?: string): Promise<Visitor>;
};

export async function startAccounts(options: GatewayOptions = {}): Promise<AccountWorld> {
  // Nothing is paid here: the networks need not be counted. Visitors can say where they come from.
  const env = { TRUSTED_PROXIES: '127.0.0.1/32', ...options.env };
  return accountsAt(await startGateway({ hasAccount: true, isUncounted: true, ratesAreKept: true, ...options, env }));
}

/** The same on a gateway that runs already, and was started with an account. */
export function accountsAt(gateway: Gateway): AccountWorld {
  const accountUrl = new URL(gateway.url).origin.replace('127.0.0.1', 'localhost');

  const home = gateway.merchant.merchantId;
  function visitor({ address }: { address?: string } = {}): Visitor {
    const cookies = new Map<string, string>();
    const device = passkeyDevice(accountUrl);
    async function send(method: string, path: string, body: string, headers: Headers): Promise<PageAnswer> {
      const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
      const usual = { cookie: cookie || undefined, 'x-forwarded-for': address, host: new URL(accountUrl).host };
      const origin = through ?? new URL(gateway.url).origin;
      const answer = await exchange(origin, method, path, body, { ...usual, ...headers });
      for (const line of answer.headers['set-cookie'] ?? []) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (/Max-Age=0/.test(line)) cookies.delete(name);
        else cookies.set(name, value);
      }
      return answer;
    }
    let account = home;
    let through: string | null = null;
    const self: Visitor = {
      device,
      lookAt: (merchantId) => {
        account = merchantId;
      },
      get: (path, headers = {}) => send('GET', path, '', headers),
      post: (path, form = {}, headers = {}) =>
        send(
          'POST',
          path,
          new URLSearchParams({ account, form: newFormName(gateway.clock.now()), ...form }).toString(),
          {
            'sec-fetch-site': 'same-origin',
            ...headers,
          },
        ),
      goThrough: (origin) => {
        through = origin;
      },
      cookie: (name) => cookies.get(name),
      setCookie: (name, value) => void cookies.set(name, value),
      join: (token, name, email = '') => self.post('/account/welcome/name', { token, name, email }),
      async addFirstPasskey() {
        const asked = await self.post('/account/sign-in/first-passkey-challenge');
        const added = await self.post('/account/sign-in/first-passkey', { answer: device.register(asked.json) });
        assert.equal(added.status, 200, added.text);
      },
      async signInWithPasskey(with_ = device) {
        const asked = await self.post('/account/sign-in/passkey-challenge');
        return self.post('/account/sign-in/passkey', { answer: with_.answer(asked.json) });
      },
      signInWithPassword: (email, password) => self.post('/account/sign-in', { email, password }),
      async prove() {
        const asked = await self.post('/account/sign-in/prove-challenge');
        return self.post('/account/sign-in/prove', { answer: device.answer(asked.json) });
      },
    };
    return self;
  }

  async function invitation(email: string | null, role: Role | StaffRole, merchantId: string | null = home) {
    const isStaff = merchantId === null;
    const roles = isStaff ? { role: null, staffRole: role as StaffRole } : { role: role as Role, staffRole: null };
    return invite(gateway, { email, merchantId, ...roles }, 'operator');
  }

  return {
    gateway,
    accountUrl,
    visitor,
    invitation,
    beKnown: (email) => beKnown(gateway, email),
    async member(role, email, merchantId) {
      const self = visitor();
      self.lookAt(merchantId ?? home);
      await self.join(await invitation(email, role, merchantId), `The ${role}`);
      await self.addFirstPasskey();
      await beKnown(gateway, email);
      return self;
    },
    async staff(role, email) {
      const self = visitor();
      await self.join(await invitation(email, role, null), `The ${role}`);
      await self.addFirstPasskey();
      return self;
    },
    async memberWithPassword(role, email, merchantId) {
      const self = visitor();
      self.lookAt(merchantId ?? home);
      await self.join(await invitation(email, role, merchantId), `The ${role}`);
      const set = await self.post('/account/my-sign-in/password', { password: goodPassword });
      assert.equal(set.status, 303, set.text);
      await beKnown(gateway, email);
      return self;
    },
  };
}

function exchange(origin: string, method: string, path: string, body: string, headers: Headers): Promise<PageAnswer> {
  const given = Object.fromEntries(
    Object.entries(headers).filter((each): each is [string, string] => each[1] !== undefined),
  );
  const form = method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  return new Promise((resolve, reject) => {
    const sent = { 'content-length': String(Buffer.byteLength(body)), ...form, ...given };
    const outgoing = request(`${origin}${path}`, { method, headers: sent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = incoming.headers['content-type']?.startsWith('application/json') ?? false;
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text,
          location: incoming.headers.location ?? '',
          json: isJson ? JSON.parse(text) : { challenge: '', next: '' },
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** What a person reads, one space between words. */
export const words = ({ text }: PageAnswer): string =>
  text
    .replace(/^[\s\S]*<main[^>]*>|<\/main>[\s\S]*$/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/[\s\u00a0]+/g, ' ');

/** Sends a form that a passkey signs: what it signs and what is sent may differ. */
export async function signed(visitor: Visitor, path: string, form: Form, sent: Form = form): Promise<PageAnswer> {
  const asked = await visitor.post(path, form, { 'x-ask': 'passkey' });
  return visitor.post(path, { ...sent, proof: visitor.device.answer(asked.json) });
}
