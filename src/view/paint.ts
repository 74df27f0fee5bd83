/** How text is coloured, so that text making stays pure: whoever prints brings the paint. */
export type Paint = (style: Style, text: string) => string;

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

export const noPaint: Paint = (_style, text) => text;
