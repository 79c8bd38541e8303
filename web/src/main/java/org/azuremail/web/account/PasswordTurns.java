package org.azuremail.web.account;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Takes turns at checking passwords. A check takes a third of a second of a core on purpose, so half of the cores check at a time,
 * and the others are left for everything else. A few visitors wait, known devices before strangers; the rest are told to come back,
 * so that strangers can neither take all threads nor keep an admin waiting. Safe for use from many threads.
 */
final class PasswordTurns {

    /** The number of visitors who wait, of known devices and of strangers each. */
    static final int WAITING = 8;

    private final int atOnce;
    private final Lock lock = new ReentrantLock();
    private final Condition over = lock.newCondition();
    private int checking;
    private int known;
    private int strangers;

    PasswordTurns() {
        this(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
    }

    PasswordTurns(int atOnce) {
        this.atOnce = atOnce;
    }

    /** Waits for a turn; if it returns true, {@link #end} must follow. */
    boolean begin(boolean knownDevice) {
        lock.lock();
        try {
            boolean turn = knownDevice ? beginKnown() : beginStranger();
            checking += turn ? 1 : 0;
            return turn;
        } finally {
            lock.unlock();
        }
    }

    private boolean beginKnown() {
        if (checking == atOnce && known == WAITING) {
            return false;
        }
        known++;
        while (checking == atOnce) {
            over.awaitUninterruptibly();
        }
        known--;
        return true;
    }

    private boolean beginStranger() {
        if (checking == atOnce && strangers == WAITING) {
            return false;
        }
        strangers++;
        while (checking == atOnce || known > 0) {
            over.awaitUninterruptibly();
        }
        strangers--;
        return true;
    }

    int waiting() {
        lock.lock();
        try {
            return known + strangers;
        } finally {
            lock.unlock();
        }
    }

    void end() {
        lock.lock();
        try {
            checking--;
            over.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
