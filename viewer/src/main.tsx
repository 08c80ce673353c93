import { render } from "preact";
import { Chunks } from "./app/held";
import { Live } from "./app/live";
import { Cache } from "./data/cache";
import { source } from "./data/source";
import { listen } from "./ui/keys";
import { visible } from "./ui/text";
import "./ui/style.css";

const root = document.getElementById("app");
if (root) {
  const from = source(document);
  const cache = new Cache(from);
  listen();
  from.heads().then(
    (heads) => {
      root.replaceChildren();
      render(
        <Chunks.Provider value={from}>
          <Live heads={heads} from={from} cache={cache} />
        </Chunks.Provider>,
        root,
      );
    },
    (error: Error) => {
      root.textContent = `This page cannot be read: ${visible(error.message)}`;
    },
  );
}
