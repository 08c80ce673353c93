/** The list of keys that work now, in a dialog: opened and closed with ?. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { keys, named, useKeys } from "../ui/keys";

export function Help() {
  const [open, show] = useState(false);
  const box = useRef<HTMLDialogElement>(null);
  useKeys([{ key: "?", does: "show or hide this list", run: () => show(!open) }]);
  // At once: the next key is for the dialog already.
  useLayoutEffect(() => {
    if (open) box.current?.showModal();
    else box.current?.close();
  }, [open]);
  const listed = open ? [...new Map(keys().map((key) => [key.key, key])).values()] : [];
  return (
    <>
      <button type="button" class="help" onClick={() => show(true)}>
        Keys <kbd>?</kbd>
      </button>
      <dialog ref={box} aria-labelledby="keys" onClose={() => show(false)}>
        <h2 id="keys">Keys</h2>
        <dl class="keylist">
          {listed.map((key) => (
            <div key={key.key}>
              <dt>
                <kbd>{named(key.key)}</kbd>
              </dt>
              <dd>{key.does}</dd>
            </div>
          ))}
          <div>
            <dt>
              <kbd>Enter</kbd>
            </dt>
            <dd>open the row of a table that has the focus</dd>
          </div>
        </dl>
        <button type="button" onClick={() => show(false)}>
          Close
        </button>
      </dialog>
    </>
  );
}
