package org.azuremail.web.connector;

import org.apache.coyote.Adapter;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.azuremail.time.Time;

/**
 * Tomcat's HTTP/1.1 protocol, which rests while no requests arrive. By default it wakes up once a second to check for
 * asynchronous answers that take too long, and once a second to check for connections that have timed out. This
 * protocol runs the first check only while such answers exist, and the second every ten seconds while the process is
 * idle: a connection may end that much later than {@code connectionTimeout} and {@code keepAliveTimeout} say. Waiting
 * for bodies blocks no thread ({@link BodyBufferingAdapter}). Public, because Tomcat creates it by name.
 */
public final class LowWakeupProtocol extends Http11NioProtocol {

    static final long POLL_MILLIS = 10_000;

    private Time time = Time.system();
    private IncomingBodies bodies = new IncomingBodies();

    public LowWakeupProtocol() {
        super(new GuardedEndpoint());
        setSelectorTimeout(POLL_MILLIS);
    }

    /** Returns a fixed number of bytes. An answer that leaves more of a body unread closes the connection. */
    @Override
    public int getMaxSwallowSize() {
        return RequestBody.SMALL;
    }

    void setTime(Time time) {
        this.time = time;
    }

    void setBodies(IncomingBodies bodies) {
        this.bodies = bodies;
    }

    @Override
    public void setAdapter(Adapter container) {
        super.setAdapter(new BodyBufferingAdapter(container, time, bodies));
    }

    @Override
    protected Processor createProcessor() {
        return new HeadDeadlineProcessor(this, getAdapter(), time);
    }

    @Override
    public void addWaitingProcessor(Processor processor) {
        super.addWaitingProcessor(processor);
        startAsyncTimeout();
    }

    @Override
    public void removeWaitingProcessor(Processor processor) {
        super.removeWaitingProcessor(processor);
        stopUnlessAwaited();
    }

    /** Starts the check for timeouts if an answer is awaited. Tomcat also calls this at the start and once a minute. */
    @Override
    protected synchronized void startAsyncTimeout() {
        if (getWaitingProcessorCount() > 0) {
            super.startAsyncTimeout();
        }
    }

    private synchronized void stopUnlessAwaited() {
        if (getWaitingProcessorCount() == 0) {
            stopAsyncTimeout();
        }
    }
}
