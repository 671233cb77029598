/**
 * Formats of Intl, each made once: to make one takes some hundred times as long as to use it, and a list of fifty rows
 * would make a few hundred. By language and options, of which there are not many; should somebody find many, they are
 * made anew rather than kept for ever.
 */
const keptMax = 300;

function kept<Options, Format>(make: (language: string, options: Options) => Format) {
  const formats = new Map<string, Format>();
  return (language: string, options: Options): Format => {
    const name = `${language} ${JSON.stringify(options)}`;
    const known = formats.get(name);
    if (known !== undefined) return known;
    if (formats.size >= keptMax) formats.clear();
    const format = make(language, options);
    formats.set(name, format);
    return format;
  };
}

export const numberFormat = kept(
  (language, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options),
);
export const dateFormat = kept(
  (language, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options),
);

const relativeFormat = kept(
  (language, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(language, options),
);
const namesOfKind = kept((language, options: Intl.DisplayNamesOptions) => new Intl.DisplayNames(language, options));

/** `3 days ago`, `tomorrow` */
export const relativeText = (language: string, amount: number, unit: Intl.RelativeTimeFormatUnit): string =>
  relativeFormat(language, { numeric: 'auto' }).format(amount, unit);

export const countryText = (language: string, code: string): string =>
  namesOfKind(language, { type: 'region' }).of(code) ?? code;
