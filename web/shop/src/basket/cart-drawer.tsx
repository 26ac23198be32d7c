import { Dialog } from '@base-ui/react/dialog';
import { useState } from 'react';
import { useObservable } from '../../../common/observable.js';
import { BagIcon, CloseIcon } from '../layout/icons.js';
import { basketState, linesOf, unitsOf } from './basket-state.js';
import { CartContent } from './cart-content.js';
import './basket.css';

export function CartDrawer() {
  const [isOpen, setOpen] = useState(false);
  const units = unitsOf(linesOf(useObservable(basketState)));
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger
        className="icon-button cart-button"
        aria-label={`Cart, ${units} ${units === 1 ? 'item' : 'items'}`}
      >
        <BagIcon />
        {units > 0 && <span className="cart-count number">{units}</span>}
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="drawer">
          <div className="drawer-head">
            <Dialog.Title>Your cart</Dialog.Title>
            <Dialog.Close className="icon-button" aria-label="Close the cart">
              <CloseIcon />
            </Dialog.Close>
          </div>
          <CartContent onDone={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
