// Which browser this is, as far as its settings for the microphone differ.

export const ALLOW = Object.fromEntries(["chrome", "edge", "firefox", "safari", "ios", "android", "other"].map((name) => [name, `callAllow_${name}`]));

/** The browser's name from what it says about itself. */
export function browserName(agent = navigator.userAgent, touches = navigator.maxTouchPoints) {
  if (/iPhone|iPad|iPod/.test(agent) || (/Macintosh/.test(agent) && touches > 1)) return "ios";
  if (/Android/.test(agent)) return "android";
  if (/Firefox\//.test(agent)) return "firefox";
  if (/Edg\//.test(agent)) return "edge";
  if (/Chrome\//.test(agent)) return "chrome";
  return /Safari\//.test(agent) ? "safari" : "other";
}
