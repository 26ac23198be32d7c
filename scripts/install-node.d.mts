/** The folder of the binary. */
export function installNode(wanted: string): string;
