package org.azuremail.template;

import org.azuremail.time.ManualTime;

/** The product's own templates. */
public final class ProductTemplates {

    private static final SharedTemplates SHARED = new SharedTemplates(null, new ManualTime());

    public static final Templates.TemplateSet CHOSEN =
            name -> SHARED.all().get(name).compiled();

    private ProductTemplates() {}
}
