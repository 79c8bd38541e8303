package org.azuremail.work;

/** The names under which a process reports on its services among the facts of its instance. */
public final class WorkFacts {

    /** Followed by a scheduled service: its usual interval in seconds. */
    public static final String EVERY = "every/";

    /** Followed by a queue that shares its places: the pool. */
    public static final String POOL = "pool/";

    /** Followed by a queue: items a second by the settings. */
    public static final String LIMIT = "limit/";

    /** Followed by a queue whose places follow it: up to how many items at a time this process handles. */
    public static final String MOST = "most/";

    /** The way in which it looks at empty queues. */
    public static final String POLLING = "polling";

    private WorkFacts() {}
}
