package org.azuremail.subscription.index;

import org.springframework.beans.factory.config.AutowireCapableBeanFactory;

/** Runs the index service in tests of the web role, which does not run it. */
public final class InlineIndex {

    private InlineIndex() {}

    public static void run(AutowireCapableBeanFactory beans) {
        beans.createBean(FieldIndexService.class).run();
    }
}
