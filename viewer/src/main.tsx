import { render } from "preact";
import { Chunks, Heads } from "./app/held";
import { Shell } from "./app/shell";
import { Cache } from "./data/cache";
import { source } from "./data/source";
import "./ui/style.css";

const root = document.getElementById("app");
if (root) {
  const from = source(document);
  const cache = new Cache(from);
  from.heads().then(
    (heads) => {
      root.replaceChildren();
      render(
        <Chunks.Provider value={from}>
          <Heads.Provider value={heads}>
            <Shell heads={heads} cache={cache} />
          </Heads.Provider>
        </Chunks.Provider>,
        root,
      );
    },
    (error: Error) => {
      root.textContent = `This page cannot be read: ${error.message}`;
    },
  );
}
