// The token that the server asks for: it comes in the fragment of the address (which is not sent, nor stored in logs), is taken out of the
// address bar and kept for this tab. A tab that was opened from a link asks the others of the same studio for it.

const key = "cutset-token";
const channelName = "cutset-studio";

function stored(): string | undefined {
  const match = /^#k=([0-9a-f]+)(.*)$/i.exec(location.hash);
  if (match !== null) {
    sessionStorage.setItem(key, match[1]!);
    const rest = match[2]!.replace(/^[#&]?/, "");
    history.replaceState(null, "", location.pathname + (rest.startsWith("/") ? `#${rest}` : ""));
  }
  return sessionStorage.getItem(key) ?? undefined;
}

/** The token, or undefined when neither the address nor another tab has it. */
export async function token(): Promise<string | undefined> {
  const channel = new BroadcastChannel(channelName);
  let mine = stored();
  if (mine === undefined) {
    mine = await new Promise((resolve) => {
      channel.onmessage = (message: MessageEvent<{ token?: string }>) => {
        if (typeof message.data.token === "string") resolve(message.data.token);
      };
      channel.postMessage({ ask: true });
      setTimeout(() => resolve(undefined), 500);
    });
    if (mine !== undefined) sessionStorage.setItem(key, mine);
  }
  channel.onmessage = (message: MessageEvent<{ ask?: boolean }>) => {
    if (message.data.ask === true && mine !== undefined) channel.postMessage({ token: mine });
  };
  return mine;
}
