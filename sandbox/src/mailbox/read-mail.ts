/** A message taken apart. Whatever arrives is answered with something that can be shown: at the least its source. */
import PostalMime, { type Address, type Attachment } from 'postal-mime';

export type ReadMail = {
  readonly from: string;
  readonly subject: string;
  readonly text: string | null;
  /** With the pictures that it carries in place. */
  readonly html: string | null;
  readonly attachments: readonly AttachedFile[];
};

export type AttachedFile = { readonly name: string; readonly type: string; readonly bytes: Buffer };

/** Null: it is no message that anybody can read. */
export async function readMail(source: Buffer): Promise<ReadMail | null> {
  const mail = await PostalMime.parse(source, { maxNestingDepth: 50, maxHeadersSize: 256 * 1024 }).catch(() => null);
  if (mail === null) return null;
  const inText = (part: Attachment): boolean => part.contentId !== undefined && isPicture(part);
  const pictures = mail.attachments.filter(inText);
  return {
    from: mail.from ? addressText(mail.from) : '',
    subject: mail.subject ?? '',
    text: mail.text ?? null,
    html: mail.html === undefined ? null : withPictures(mail.html, pictures),
    attachments: mail.attachments
      .filter((part) => !(mail.html !== undefined && inText(part)))
      .map((part, at) => ({
        name: part.filename ?? `attachment-${at + 1}`,
        type: part.mimeType,
        bytes: bytesOf(part),
      })),
  };
}

const isPicture = ({ mimeType }: Attachment): boolean => /^image\/[\w.+-]+$/.test(mimeType);

const bytesOf = ({ content }: Attachment): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as Uint8Array);

const addressText = ({ name, address }: Address): string =>
  address === undefined || name === '' ? (address ?? name) : `${name} <${address}>`;

/** The page of a message may load nothing, not even from us: what it shows must be in it. */
function withPictures(html: string, pictures: readonly Attachment[]): string {
  const byName = new Map(
    pictures.map((part) => [
      (part.contentId ?? '').replace(/^<|>$/g, ''),
      `data:${part.mimeType};base64,${bytesOf(part).toString('base64')}`,
    ]),
  );
  return html.replace(/\bcid:([^"'\s)>]+)/g, (reference, name: string) => byName.get(name) ?? reference);
}
