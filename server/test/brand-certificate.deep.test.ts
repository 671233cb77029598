/** A brand container that faces the internet gets its certificate by itself: from a real authority, which visits it. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { holderOf } from '../src/merchants/branding-key.ts';
import { createBrandingKey, holdBrandDomain } from '../src/merchants/change-brand-domain.ts';
import { brandCommand, findCaddy, listen } from './brand-container.ts';
import { aCharge, type Gateway, startGateway } from './gateway.ts';
import { canHaveInternet, end, type SmallInternet, startSmallInternet } from './small-internet.ts';

const caddy = findCaddy();
const domain = 'pay.shop.example';

if (caddy === undefined) {
  test('NOT RUN: automatic certificates, because caddy is missing (apt-get install caddy)', () => {
    assert.notEqual(process.env['CI'], 'true', 'caddy must be installed where CI=true');
  });
} else if (!canHaveInternet()) {
  test('NOT RUN: automatic certificates, because namespaces (unshare, ip) cannot be had here', () => undefined);
} else {
  void describe('a brand container that faces the internet', { concurrency: 1 }, () => tellOfCertificates(caddy));
}

function tellOfCertificates(program: string): void {
  let gateway: Gateway;
  let internet: SmallInternet;
  let key: string;
  let volume: string;
  let container: ChildProcess;
  let output: () => string;

  const start = () => {
    const { command, env } = brandCommand({ BRANDING_KEY: key, ...internet.authority });
    container = internet.launch(command, { ...env, HOME: volume, XDG_DATA_HOME: volume, XDG_CONFIG_HOME: volume });
    output = listen(container);
  };
  before(async () => {
    gateway = await startGateway();
    internet = await startSmallInternet(program, Number(new URL(gateway.url).port));
    const wish = { domain, serviceUrl: 'http://service.example:8000', behaviour: 'redirect' } as const;
    key = (await createBrandingKey(gateway, gateway.merchant.merchantId, wish, 'operator')).key.reveal();
    await gateway.app.refresh();
    volume = await mkdtemp(join(tmpdir(), 'quittance-brand-'));
    start();
  });
  after(async () => {
    await end(container);
    await internet.stop();
    await gateway.stop();
    await rm(volume, { recursive: true, force: true });
  });

  async function ask(path: string, form?: string): Promise<{ reply: IncomingMessage; body: string; serial: string }> {
    const ca = await internet.rootCertificate();
    const headers = {
      host: domain,
      ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const method = form === undefined ? 'GET' : 'POST';
    const call = request({ socketPath: internet.https, servername: domain, agent: false, ca, path, headers, method });
    call.end(form);
    const [reply] = (await once(call, 'response')) as [IncomingMessage];
    const { serialNumber, subjectaltname } = (reply.socket as TLSSocket).getPeerCertificate();
    assert.equal(subjectaltname, `DNS:${domain}`);
    return { reply, body: (await reply.toArray()).join(''), serial: serialNumber };
  }

  /** Until there is a certificate, a connection ends in an alert. */
  async function askOnceCertified(path: string): ReturnType<typeof ask> {
    for (let attempt = 0; attempt < 3_000; attempt += 1) {
      const asked = await ask(path).catch(() => undefined);
      if (asked !== undefined) return asked;
      if (container.exitCode !== null) break;
      await sleep(100);
    }
    throw new Error(`there is no certificate: ${output()}`);
  }

  test('it has one within moments, with nothing but its key and the authority in its settings', async () => {
    const { reply, body } = await askOnceCertified('/api/v1/health');
    const holder = holderOf({ merchantId: gateway.merchant.merchantId, domain });
    assert.deepEqual([reply.statusCode, JSON.parse(body)], [200, { status: 'ok', domain, holder }]);
  });

  test('whoever comes without encryption is sent to it', async () => {
    const call = plainRequest({ socketPath: internet.http, path: '/en/checkout-invalid', headers: { host: domain } });
    call.end();
    const [reply] = (await once(call, 'response')) as [IncomingMessage];
    reply.resume();
    assert.deepEqual([reply.statusCode, reply.headers.location], [308, `https://${domain}/en/checkout-invalid`]);
  });

  test('a customer finds the payment page there, and picks a network', async () => {
    const { merchantId } = gateway.merchant;
    await holdBrandDomain(gateway, { merchantId, domain, origin: `https://${domain}` }, 'operator');
    await gateway.app.refresh();
    const { url } = await gateway.post('/checkout/hosted', aCharge('25.00 USD', { checkoutLanguage: 'en' }));
    assert.equal(new URL(url).origin, `https://${domain}`);
    const path = new URL(url).pathname;
    assert.equal((await ask(path)).reply.statusCode, 200);
    assert.equal((await ask(`${path}/commit`, 'network=BITCOIN')).reply.statusCode, 303);
    assert.match((await ask(path)).body, /href="bitcoin:[a-z0-9]+\?amount=/);
  });

  test('after a restart it has the same certificate, and asks nobody for it', async () => {
    const { serial } = await ask('/api/v1/health');
    await end(container);
    await internet.stopAuthority();
    start();
    assert.equal((await askOnceCertified('/api/v1/health')).serial, serial);
    assert.equal(output().includes(key), false, 'the key is in no log');
  });
}
