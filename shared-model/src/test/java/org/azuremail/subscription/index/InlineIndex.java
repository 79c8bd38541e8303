package org.azuremail.subscription.index;

import org.springframework.beans.factory.config.AutowireCapableBeanFactory;

/** Runs the service of the index in tests of the web role, which has none. */
public final class InlineIndex {

    private InlineIndex() {}

    public static void run(AutowireCapableBeanFactory beans) {
        beans.createBean(FieldIndexService.class).run();
    }
}
