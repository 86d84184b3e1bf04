/** Whether the keyboard has ⌘ where others have Ctrl. */
export const isApple = /mac|iphone|ipad/i.test(navigator.userAgent);
