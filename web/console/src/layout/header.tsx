import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ThemeToggle } from '../../../common/theme-toggle.js';
import { adminKey } from '../session/session.js';
import { KeysIcon, LeaveIcon, Logo, SearchIcon } from './icons.js';
import { isHelpOpen } from './shortcuts.js';

export function Header() {
  return (
    <header className="header">
      <Link href="/" className="brand" aria-label="Console">
        <Logo />
        <span>Console</span>
      </Link>
      <SearchBox />
      <div className="header-tools">
        <button
          type="button"
          className="icon-button only-wide"
          aria-label="Keys"
          aria-haspopup="dialog"
          onClick={() => isHelpOpen.set(true)}
        >
          <KeysIcon />
        </button>
        <ThemeToggle />
        <button type="button" className="icon-button" aria-label="Sign out" onClick={() => adminKey.set(null)}>
          <LeaveIcon />
        </button>
      </div>
    </header>
  );
}

/** From anywhere: the key `/` leads to it. */
function SearchBox() {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  return (
    <form
      role="search"
      className="search-box"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === '') return;
        navigate(`/search?q=${encodeURIComponent(text.trim())}`);
        setText('');
      }}
    >
      <SearchIcon />
      <input
        type="search"
        value={text}
        onChange={({ target }) => setText(target.value)}
        aria-label="Search orders, e-mails, transactions, keys, SKUs"
        placeholder="Order, e-mail, transaction, key, SKU"
        autoComplete="off"
        spellCheck={false}
      />
      <kbd aria-hidden>/</kbd>
    </form>
  );
}
