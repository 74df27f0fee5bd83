/** How text is coloured. The caller that prints passes the paint in, so that making text stays pure. */
export type Paint = (style: Style, text: string) => string;

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

export const noPaint: Paint = (_style, text) => text;
