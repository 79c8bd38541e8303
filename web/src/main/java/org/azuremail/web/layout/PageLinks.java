package org.azuremail.web.layout;

import java.util.List;
import org.thymeleaf.context.IExpressionContext;
import org.thymeleaf.linkbuilder.StandardLinkBuilder;

/**
 * The links in pages. Styles, scripts and pictures get an address that changes with their content. For any other link the
 * servlet would look for such a file in each jar of the service, once more at every showing: it is never remembered that
 * there is none, and a page of fifty subscribers has a hundred and sixty links.
 */
final class PageLinks extends StandardLinkBuilder {

    private static final List<String> FILES = List.of("/css/", "/js/", "/img/", "/webjars/");

    @Override
    protected String processLink(IExpressionContext context, String link) {
        return FILES.stream().anyMatch(link::startsWith) ? super.processLink(context, link) : link;
    }
}
