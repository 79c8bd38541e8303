package org.azuremail.work;

/** The names under which a process reports on its services among the facts of its instance. */
public final class WorkFacts {

    /** Followed by the name of a scheduled service. The value is its usual interval in seconds. */
    public static final String EVERY = "every/";

    /** Followed by the name of a queue that shares its places. The value is the pool's name. */
    public static final String POOL = "pool/";

    /** Followed by the name of a queue. The value is the limit of items a second in the settings. */
    public static final String LIMIT = "limit/";

    /**
     * Followed by the name of a queue whose number of places follows its length. The value is the most items that this
     * process handles at the same time.
     */
    public static final String MOST = "most/";

    /** The value is the way in which the process polls empty queues. */
    public static final String POLLING = "polling";

    private WorkFacts() {}
}
