package org.azuremail.web.connector;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.coyote.Processor;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * Tomcat's connections, with room kept for the next client. When most connections are taken, each new one closes the
 * idle connection that has been silent longest. Only a few threads may wait for slow readers: while
 * {@value #MAX_BLOCKED_WRITERS} answers wait, any other answer that would have to wait is cut off. A page fits into the
 * send buffer, so that only long downloads and clients that do not read make a thread wait.
 */
final class GuardedEndpoint extends NioEndpoint {

    /** The most threads that wait for slow readers, a quarter of all threads. */
    static final int MAX_BLOCKED_WRITERS = 50;

    /** The size of the send buffer in bytes. The operating system may allow less. */
    private static final int SEND_BUFFER = 512 * 1024;

    private final AtomicInteger blockedWriters = new AtomicInteger();

    GuardedEndpoint() {
        getSocketProperties().setTxBufSize(SEND_BUFFER);
    }

    @Override
    protected boolean setSocketOptions(SocketChannel socket) {
        boolean taken = super.setSocketOptions(socket);
        if (getConnectionCount() > getMaxConnections() * 3L / 4) {
            closeLongestIdle();
        }
        return taken;
    }

    private void closeLongestIdle() {
        getConnections().stream()
                .filter(GuardedEndpoint::isIdle)
                .min(Comparator.comparingLong(GuardedEndpoint::lastRead))
                .ifPresent(GuardedEndpoint::end);
    }

    /**
     * Closes a connection unless it began a request meanwhile: no thread may lose its connection to the next client.
     */
    private static void end(SocketWrapperBase<?> connection) {
        if (connection.getLock().tryLock()) {
            try {
                if (isIdle(connection)) {
                    connection.close();
                }
            } finally {
                connection.getLock().unlock();
            }
        }
    }

    private static long lastRead(SocketWrapperBase<?> connection) {
        return connection instanceof NioSocketWrapper socket ? socket.getLastRead() : Long.MAX_VALUE;
    }

    /**
     * Returns whether no thread works for the connection and it awaits neither an answer nor a body. It is then between
     * two requests, or in the middle of a head.
     */
    private static boolean isIdle(SocketWrapperBase<?> connection) {
        if (!connection.getLock().tryLock()) {
            return false;
        }
        try {
            return !(connection.getCurrentProcessor() instanceof Processor processor && processor.isAsync());
        } finally {
            connection.getLock().unlock();
        }
    }

    @Override
    protected NioChannel createChannel(SocketBufferHandler buffer) {
        return isSSLEnabled() ? new EncryptedChannel(buffer) : new GuardedChannel(buffer);
    }

    /**
     * Wakes the poller. Until the poller runs, a connection that another thread has closed stays half closed: it
     * silently accepts what the client sends, and the client does not learn of the end.
     */
    private void wakePoller() {
        Poller poller = getPoller();
        if (poller != null) {
            poller.getSelector().wakeup();
        }
    }

    private final class EncryptedChannel extends SecureNioChannel {

        EncryptedChannel(SocketBufferHandler buffer) {
            super(buffer, GuardedEndpoint.this);
        }

        @Override
        public void close(boolean force) throws IOException {
            try {
                super.close(force);
            } finally {
                wakePoller();
            }
        }
    }

    private final class GuardedChannel extends NioChannel {

        private boolean blocked;

        GuardedChannel(SocketBufferHandler buffer) {
            super(buffer);
        }

        @Override
        public int write(ByteBuffer bytes) throws IOException {
            int written = super.write(bytes);
            if (written != 0) {
                endBlocking();
            } else if (bytes.hasRemaining()) {
                beginBlocking();
            }
            return written;
        }

        private synchronized void beginBlocking() throws IOException {
            if (!blocked && blockedWriters.incrementAndGet() > MAX_BLOCKED_WRITERS) {
                blockedWriters.decrementAndGet();
                throw new IOException("too many clients do not read their answers");
            }
            blocked = true;
        }

        private synchronized void endBlocking() {
            if (blocked) {
                blocked = false;
                blockedWriters.decrementAndGet();
            }
        }

        @Override
        public void close() throws IOException {
            endBlocking();
            try {
                super.close();
            } finally {
                wakePoller();
            }
        }
    }
}
