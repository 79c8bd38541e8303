package org.azuremail.web.account;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits the password checks that run at a time. A check deliberately takes a third of a second of a core, so at most
 * half of the cores run checks. A few visitors wait, and known devices go before strangers. Others are asked to try
 * again, so that strangers can neither occupy all threads nor keep an admin waiting. Safe for use by several threads.
 */
final class PasswordCheckLimiter {

    /** The most waiting visitors with known devices, and also the most waiting strangers. */
    static final int MAX_WAITING = 8;

    private final int atOnce;
    private final Lock lock = new ReentrantLock();
    private final Condition checkEnded = lock.newCondition();
    private int checking;
    private int known;
    private int strangers;

    PasswordCheckLimiter() {
        this(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
    }

    PasswordCheckLimiter(int atOnce) {
        this.atOnce = atOnce;
    }

    /** Waits for a turn; if it returns true, {@link #end} must follow. */
    boolean begin(boolean knownDevice) {
        lock.lock();
        try {
            if (checking == atOnce && (knownDevice ? known : strangers) == MAX_WAITING) {
                return false;
            }
            count(knownDevice, 1);
            while (checking == atOnce || (!knownDevice && known > 0)) {
                checkEnded.awaitUninterruptibly();
            }
            count(knownDevice, -1);
            checking++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void count(boolean knownDevice, int change) {
        known += knownDevice ? change : 0;
        strangers += knownDevice ? 0 : change;
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
            checkEnded.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
