import { useObservable } from '../../../common/observable.js';
import { isConnectionLost } from '../connection.js';
import { useShop } from '../shop.js';

/** What is wrong everywhere at once. */
export function Notices() {
  const { url } = useShop().settings;
  const isLost = useObservable(isConnectionLost);
  const isElsewhere = new URL(url).origin !== location.origin;
  return (
    <div className="notices" role="status">
      {isLost && (
        <p className="notice warn">
          <strong>The connection is lost.</strong> We keep trying. Whatever you sent happens once, or not at all.
        </p>
      )}
      {isElsewhere && (
        <p className="notice warn">
          The service says that it is at <a href={`${url}/shop`}>{url}</a>. Live updates work only there; PUBLIC_URL
          changes it.
        </p>
      )}
    </div>
  );
}
