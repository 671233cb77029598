/** What a PDF says about itself, read by pdf-lib: its metadata, what is attached to it, its fonts, and what archives refuse. */
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFRawStream,
  PDFString,
} from 'pdf-lib';

type Attachment = { name: string; type: string; relationship: string; content: string; hasDate: boolean };

export type ArchivalPdf = {
  readonly version: string;
  readonly isEncrypted: boolean;
  readonly hasId: boolean;
  readonly metadata: string;
  readonly colours: string;
  /** By the list of associated files; those of the tree of names must be the same. */
  readonly attachments: Attachment[];
  readonly namedFiles: string[];
  readonly fonts: { readonly name: string; readonly isInside: boolean }[];
  /** What archives refuse: scripts, actions, annotations that are not printed. */
  readonly refused: string[];
};

const textOf = (value: unknown): string =>
  value instanceof PDFString || value instanceof PDFHexString || value instanceof PDFName ? value.decodeText() : '';

export async function readArchivalPdf(file: Buffer): Promise<ArchivalPdf> {
  const pdf = await PDFDocument.load(file, { updateMetadata: false });
  const { catalog, context } = pdf;
  const dict = (from: PDFDict, name: string): PDFDict | undefined => from.lookupMaybe(PDFName.of(name), PDFDict);
  const stream = (value: unknown): Buffer =>
    value instanceof PDFRawStream ? Buffer.from(decodePDFRawStream(value).decode()) : Buffer.alloc(0);
  const fileOf = (spec: PDFDict): Attachment => {
    const content = dict(spec, 'EF')?.lookup(PDFName.of('F'));
    const head = content instanceof PDFRawStream ? content.dict : context.obj({});
    return {
      name: textOf(spec.lookup(PDFName.of('UF'))),
      type: textOf(head.lookup(PDFName.of('Subtype'))),
      relationship: textOf(spec.lookup(PDFName.of('AFRelationship'))),
      content: stream(content).toString('utf8'),
      hasDate: dict(head, 'Params')?.has(PDFName.of('ModDate')) ?? false,
    };
  };
  const associated = catalog.lookupMaybe(PDFName.of('AF'), PDFArray);
  const files = dict(catalog, 'Names') && dict(dict(catalog, 'Names') ?? context.obj({}), 'EmbeddedFiles');
  const names = files?.lookupMaybe(PDFName.of('Names'), PDFArray);
  const all = context.enumerateIndirectObjects().flatMap(([, object]) => (object instanceof PDFDict ? [object] : []));
  const kindOf = (each: PDFDict, key: string): string => textOf(each.lookup(PDFName.of(key)));
  const annotations = all.filter((each) => kindOf(each, 'Type') === 'Annot' || kindOf(each, 'Subtype') === 'Link');
  const intents = catalog.lookupMaybe(PDFName.of('OutputIntents'), PDFArray);
  return {
    version: file.subarray(0, 8).toString('latin1'),
    isEncrypted: pdf.isEncrypted,
    hasId: context.trailerInfo.ID !== undefined,
    metadata: stream(catalog.lookup(PDFName.of('Metadata'))).toString('utf8'),
    colours: intents ? textOf(intents.lookup(0, PDFDict).lookup(PDFName.of('OutputConditionIdentifier'))) : '',
    attachments: associated?.asArray().map((_, at) => fileOf(associated.lookup(at, PDFDict))) ?? [],
    namedFiles: names?.asArray().flatMap((_, at) => (at % 2 === 0 ? [textOf(names.lookup(at))] : [])) ?? [],
    fonts: all
      .filter((each) => kindOf(each, 'Type') === 'Font')
      .map((font) => {
        const descendants = font.lookupMaybe(PDFName.of('DescendantFonts'), PDFArray);
        const real = descendants ? descendants.lookup(0, PDFDict) : font;
        const descriptor = dict(real, 'FontDescriptor');
        return { name: kindOf(font, 'BaseFont'), isInside: descriptor?.has(PDFName.of('FontFile2')) ?? false };
      }),
    refused: [
      ...(all.some((each) => ['JavaScript', 'Launch'].includes(kindOf(each, 'S'))) ? ['an action'] : []),
      ...(catalog.has(PDFName.of('OpenAction')) ? ['an action at the opening'] : []),
      ...annotations.filter((each) => each.lookup(PDFName.of('F'))?.toString() !== '4').map(() => 'an unprinted link'),
    ],
  };
}
