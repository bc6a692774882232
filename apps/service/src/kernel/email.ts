/** One @, something before it, and a host name with a dot after it. Only a message can show whether it arrives. */
const shape = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/;

export const isEmail = (text: string): boolean => shape.test(text);
